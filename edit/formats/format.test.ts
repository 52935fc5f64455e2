import { expect, test } from "vitest";
import { conventionOfModel, formatOfModel } from "./format.ts";

test.each([
  ["org/Model-1.5B", "wf"],
  ["org/Model-1.5B-LC", "lc"],
  ["org/Model-9B-SR", "sr"],
  ["model-sr-q4_k_m.gguf", "sr"],
  ["model-LC.gguf", "lc"],
  ["model-LC:latest", "lc"],
  ["MODEL-LCD", "wf"],
  ["SR", "wf"],
])("%s answers in %s", (model, format) => {
  expect(formatOfModel(model)).toBe(format);
});

test("ranges are inclusive except for the family that was trained on slices", () => {
  expect(conventionOfModel("my-model-LC")).toBe("inclusive");
  expect(conventionOfModel("TechxGenus/CursorCore-Yi-1.5B-LC")).toBe("slice");
});
