import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MOTORS } from "./motor-parameters.ts";

const PAGE = readFileSync("docs/simulator-model.md", "utf8");
const rowOf = (name: string) => PAGE.split("\n").find((line) => line.startsWith(`| ${name} |`));
const models = Object.values(MOTORS);

test.each([
  ["winding", models.map(({ resistance }) => `${resistance.toFixed(2)} Ω`)],
  ["back-EMF constant", models.map(({ backEmfConstant }) => `${backEmfConstant.toFixed(3)} V s/rad`)],
  ["torque constant", models.map(({ torqueConstant }) => `${torqueConstant.toFixed(3)} N m/A`)],
  ["loss of the loaded gear", models.map(({ loadFriction }) => `${(100 * loadFriction).toFixed(0)} %`)],
])("the page of the model has the %s that follows from the data sheets", (name, figures) => {
  expect(rowOf(name)).toContain(`| ${figures.join(" | ")} |`);
});
