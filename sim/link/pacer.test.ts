import fc from "fast-check";
import { expect, test } from "vitest";
import { Pacer } from "./pacer.ts";

/** Something to pace and the clock to pace it by, both turned by hand. */
function pace() {
  const clock = { milliseconds: 1000 };
  const robot = {
    time: 3,
    advanceTo(seconds: number) {
      this.time = Math.max(this.time, seconds);
    },
  };
  return { clock, robot, pacer: new Pacer(robot, () => clock.milliseconds) };
}

test("time that passes either passes for the robot or is counted as lost", () => {
  const gaps = fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { maxLength: 50 });
  fc.assert(
    fc.property(gaps, fc.double({ min: 0.1, max: 50, noNaN: true }), (passing, speed) => {
      const { clock, robot, pacer } = pace();
      pacer.speed = speed;
      for (const milliseconds of passing) {
        clock.milliseconds += milliseconds;
        const before = robot.time;
        pacer.catchUp();
        expect(robot.time - before).toBeLessThanOrEqual(0.05 * speed + 1e-9);
      }
      const passed = passing.reduce((sum, milliseconds) => sum + milliseconds, 0) / 1000;
      expect(robot.time - 3 + pacer.takeLost()).toBeCloseTo(passed * speed, 6);
      expect(pacer.takeLost()).toBe(0);
    }),
  );
});

test("what passed before a change of speed passes at the old one", () => {
  const { clock, robot, pacer } = pace();
  clock.milliseconds += 40;
  pacer.speed = 10;
  expect(robot.time).toBeCloseTo(3.04, 9);
  clock.milliseconds += 10;
  pacer.catchUp();
  expect(robot.time).toBeCloseTo(3.14, 9);
});

test("without a pace the clock moves nothing", () => {
  const { clock, robot, pacer } = pace();
  pacer.speed = "max";
  clock.milliseconds += 40;
  pacer.catchUp();
  expect(robot.time).toBe(3);
  expect(pacer.takeLost()).toBe(0);
});
