import { expect, test } from "vitest";
import { measureRandomSteps, measureSweep } from "./measure.ts";

/** Milliseconds: three seconds of computing on a machine that others use, too. */
const DEADLINE_MS = 120_000;

test(
  "the platform's loops stay closed within 0.1 mm and the head stops within 0.2 mm of its target",
  async () => {
    let calls = 0;
    const figures = await measureSweep(() => calls++);
    expect(figures.closureMaxMm).toBeLessThan(0.1);
    expect(figures.steadyErrorMm).toBeLessThan(0.2);
  },
  DEADLINE_MS,
);

test(
  "the robot reaches every random step target",
  async () => {
    expect(await measureRandomSteps(40, 3)).toEqual({ targets: 40, missed: 0, recoveries: 0 });
  },
  DEADLINE_MS,
);
