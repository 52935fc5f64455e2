import { describe, expect, test } from "vitest";
import { readVerdict } from "./read-verdict.ts";
import { exampleVerdict } from "./testing/sample.ts";

const refusal = (text: string): string => {
  try {
    readVerdict(text, "verdict.json");
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It was taken for a verdict.");
};

describe("a verdict from a file", () => {
  test("is read as it was written", () => {
    const verdict = exampleVerdict();
    expect(readVerdict(JSON.stringify(verdict), "verdict.json")).toEqual(verdict);
  });

  test("is refused with the field and the next step when it is not a verdict", () => {
    const [testRun] = exampleVerdict().testRuns;
    if (testRun === undefined) throw new Error("The sample has testRuns.");
    const uneven = { ...testRun, motion: { ...testRun.motion, t: [] } };
    expect(refusal("{")).toContain("verdict.json is not JSON. verdict.json is not a verdict; name");
    expect(refusal("{}")).toContain("verdict.json.format is missing; it must be");
    expect(refusal(JSON.stringify({ ...exampleVerdict(), formatVersion: 1 }))).toContain(
      "formatVersion is 1; it must be",
    );
    expect(refusal(JSON.stringify({ ...exampleVerdict(), seed: "one" }))).toContain(
      'verdict.json.seed is "one"; it must be',
    );
    expect(refusal(JSON.stringify({ ...exampleVerdict(), testRuns: [uneven] }))).toContain(
      "verdict.json.testRuns[0].motion is {",
    );
  });
});
