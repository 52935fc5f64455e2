import fc from "fast-check";
import { expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../common/testing/property-runs.ts";
import { editedPair } from "../testing/trials/arbitraries.ts";
import { hunksOf, withHunks } from "./hunks.ts";

test("all changes give the text after, none the text before", () => {
  fc.assert(
    fc.property(editedPair, ([before, after]) => {
      const hunks = hunksOf(before, after);
      expect(withHunks(before, hunks)).toBe(after);
      expect(withHunks(before, [])).toBe(before);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});

test("one change of two is kept", () => {
  const [first, second] = hunksOf("a\r\nb\nc\n", "x\r\nb\nc\ny\n");
  expect(withHunks("a\r\nb\nc\n", [first!])).toBe("x\r\nb\nc\n");
  expect(withHunks("a\r\nb\nc\n", [second!])).toBe("a\r\nb\nc\ny\n");
});
