import fc from "fast-check";
import { expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../../common/testing/property-runs.ts";
import { findLines, lineFinder, nearestLines } from "./search.ts";

const similarLines = (most: number) => fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: most });

test("every place is found, also overlapping ones", () => {
  fc.assert(
    fc.property(similarLines(4), similarLines(20), (search, file) => {
      const expected = file.flatMap((_, at) =>
        search.every((line, offset) => file[at + offset] === line) ? [at] : [],
      );
      expect(findLines(search, file)).toEqual(expected);
      expect(lineFinder(file)(search)).toEqual(expected);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});

/** Lines that count how often one of them is read. */
function counted(lines: readonly string[]): { file: readonly string[]; reads: () => number } {
  let reads = 0;
  const file = new Proxy(lines, {
    get: (target, key) => {
      if (typeof key === "string" && key !== "length") reads += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  return { file, reads: () => reads };
}

test("a file that almost matches everywhere is read once", () => {
  const { file, reads } = counted(new Array<string>(20_000).fill("pass"));
  expect(findLines([...new Array<string>(5_000).fill("pass"), "return"], file)).toEqual([]);
  expect(reads()).toBeLessThan(3 * 20_000);
});

test("a file is read once for many searches", () => {
  const { file, reads } = counted(Array.from({ length: 20_000 }, (_, at) => (at % 3 === 0 ? "pass" : `x = ${at}`)));
  const find = lineFinder(file);
  for (let at = 0; at < 499; at += 1)
    expect(find([`x = ${30 * at + 1}`, `x = ${30 * at + 2}`, "pass"])).toEqual([30 * at + 1]);
  expect(reads()).toBeLessThan(2 * 20_000);
});

test("the nearest lines are those with most search lines, ignoring indentation", () => {
  expect(nearestLines(["x", "y", "z"], ["a", "  x", "y", "b", "x", "y", "z"])).toBe(5);
  expect(nearestLines(["q"], ["a"])).toBeUndefined();
});
