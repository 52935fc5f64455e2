import { expect, test } from "vitest";
import { endedChildrenSeconds } from "./children-time.ts";

test("adds the user and system time of children that have ended", () => {
  const stat = "7 (a) b) S 1 7 7 0 -1 4194304 500 900 0 0 40 20 150 250 20 0 11 0 300 1000 50";
  expect(endedChildrenSeconds(stat)).toBe(4);
});

test("is 0 where there is no /proc", () => {
  expect(endedChildrenSeconds("")).toBe(0);
});
