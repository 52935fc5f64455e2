import fc from "fast-check";
import { expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../../common/testing/property-runs.ts";
import { findLines, nearestLines } from "./search.ts";

const similarLines = (most: number) => fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: most });

test("every place is found, also overlapping ones", () => {
  fc.assert(
    fc.property(similarLines(4), similarLines(20), (search, file) => {
      const expected = file.flatMap((_, at) =>
        search.every((line, offset) => file[at + offset] === line) ? [at] : [],
      );
      expect(findLines(search, file)).toEqual(expected);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});

test("a file that almost matches everywhere is read once", () => {
  let reads = 0;
  const file = new Proxy(new Array<string>(20_000).fill("pass"), {
    get: (lines, key) => {
      if (typeof key === "string" && key !== "length") reads += 1;
      return Reflect.get(lines, key) as unknown;
    },
  });
  expect(findLines([...new Array<string>(5_000).fill("pass"), "return"], file)).toEqual([]);
  expect(reads).toBeLessThan(3 * 20_000);
});

test("the nearest lines are those with most search lines, ignoring indentation", () => {
  expect(nearestLines(["x", "y", "z"], ["a", "  x", "y", "b", "x", "y", "z"])).toBe(5);
  expect(nearestLines(["q"], ["a"])).toBeUndefined();
});
