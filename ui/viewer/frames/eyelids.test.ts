import { expect, test } from "vitest";
import { eyelidClosure, secondsUntilBlink } from "./eyelids.ts";

test("the eyes are closed while the robot sleeps, and never blink with reduced motion", () => {
  for (const now of [0, 0.1, 3]) {
    expect(eyelidClosure(now, false, false)).toBe(1);
    expect(eyelidClosure(now, true, true)).toBe(0);
  }
});

test("a blink closes and opens the eyes; between blinks nothing moves", () => {
  const start = 17 + secondsUntilBlink(17);
  expect(eyelidClosure(start + 0.1, true, false)).toBeCloseTo(1, 6);
  expect(eyelidClosure(start + 0.3, true, false)).toBe(0);
  expect(eyelidClosure(start - 0.01, true, false)).toBe(0);
});
