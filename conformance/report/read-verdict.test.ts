import { describe, expect, test } from "vitest";
import { readVerdict } from "./read-verdict.ts";
import { sampleVerdict } from "./testing/sample.ts";

const refusal = (text: string): string => {
  try {
    readVerdict(text, "verdict.json");
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It was taken for a verdict.");
};

describe("a verdict from a file", () => {
  test("is what was written", () => {
    const verdict = sampleVerdict();
    expect(readVerdict(JSON.stringify(verdict), "verdict.json")).toEqual(verdict);
  });

  test("is refused with the place and the next step when it is none", () => {
    const [scene] = sampleVerdict().scenes;
    if (scene === undefined) throw new Error("The sample has scenes.");
    const uneven = { ...scene, motion: { ...scene.motion, t: [] } };
    expect(refusal("{")).toContain("verdict.json is not JSON; name the verdict.json");
    expect(refusal("{}")).toContain("verdict.json is not a verdict: format:");
    expect(refusal(JSON.stringify({ ...sampleVerdict(), seed: "one" }))).toContain("seed:");
    expect(refusal(JSON.stringify({ ...sampleVerdict(), scenes: [uneven] }))).toContain("scenes.0.motion: the columns");
  });
});
