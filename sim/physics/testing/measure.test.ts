import { expect, test } from "vitest";
import { measureRandomSteps, measureSweep } from "./measure.ts";

test("the platform's loops stay closed within 0.1 mm and the head stops within 0.2 mm of its target", async () => {
  let calls = 0;
  const figures = await measureSweep(() => calls++);
  expect(figures.closureMaxMm).toBeLessThan(0.1);
  expect(figures.steadyErrorMm).toBeLessThan(0.2);
});

test("the robot reaches every random step target", async () => {
  expect(await measureRandomSteps(40, 3)).toEqual({ targets: 40, missed: 0, recoveries: 0 });
});
