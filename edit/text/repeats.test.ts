import fc from "fast-check";
import { expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../common/testing/property-runs.ts";
import { longestRepeats } from "./repeats.ts";

/** The longest common prefix of two suffixes. */
function common(lines: readonly string[], one: number, other: number): number {
  let size = 0;
  while (Math.max(one, other) + size < lines.length && lines[one + size] === lines[other + size]) size += 1;
  return size;
}

test("each line gets the length of its longest repeat", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "b", ""), { maxLength: 30 }), (lines) => {
      const expected = lines.map((_, at) =>
        lines.reduce((most, _line, other) => (other === at ? most : Math.max(most, common(lines, at, other))), 0),
      );
      expect([...longestRepeats(lines)]).toEqual(expected);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});
