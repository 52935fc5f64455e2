import { expect, test } from "vitest";
import { eyelids, untilBlink } from "./eyelids.ts";

test("the eyes are shut while the robot sleeps and open while it is calm", () => {
  for (const now of [0, 0.1, 3]) {
    expect(eyelids(now, false, false)).toBe(1);
    expect(eyelids(now, true, true)).toBe(0);
  }
});

test("a blink closes and opens again; between blinks nothing moves", () => {
  const start = 17 + untilBlink(17);
  expect(eyelids(start + 0.1, true, false)).toBeCloseTo(1, 6);
  expect(eyelids(start + 0.3, true, false)).toBe(0);
  expect(eyelids(start - 0.01, true, false)).toBe(0);
});
