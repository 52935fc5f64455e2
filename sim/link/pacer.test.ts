import fc from "fast-check";
import { expect, test } from "vitest";
import { Pacer, type Speed } from "./pacer.ts";

/** A pacer with a manual clock and a simulated time. */
function setUp(speed: Speed) {
  const clock = { milliseconds: 1000 };
  const robot = {
    time: 3,
    advanceTo(seconds: number) {
      this.time = Math.max(this.time, seconds);
    },
  };
  return { clock, robot, pacer: new Pacer(robot, () => clock.milliseconds, speed) };
}

test("elapsed time is either simulated or counted as lost", () => {
  const gaps = fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { maxLength: 50 });
  fc.assert(
    fc.property(gaps, fc.double({ min: 0.1, max: 50, noNaN: true }), (passing, speed) => {
      const { clock, robot, pacer } = setUp(speed);
      for (const milliseconds of passing) {
        clock.milliseconds += milliseconds;
        const before = robot.time;
        pacer.catchUp();
        expect(robot.time - before).toBeLessThanOrEqual(0.05 * speed + 1e-9);
      }
      const passed = passing.reduce((sum, milliseconds) => sum + milliseconds, 0) / 1000;
      expect(robot.time - 3 + pacer.takeLostSeconds()).toBeCloseTo(passed * speed, 6);
      expect(pacer.takeLostSeconds()).toBe(0);
    }),
  );
});

test("a robot at rest catches up with seconds, and not with the hours of a paused machine", () => {
  const { clock, robot, pacer } = setUp(1);
  Object.assign(robot, { isAtRest: true });
  clock.milliseconds += 8000;
  pacer.catchUp();
  expect([robot.time, pacer.takeLostSeconds()]).toEqual([11, 0]);
  clock.milliseconds += 3_600_000;
  pacer.catchUp();
  expect([robot.time, pacer.takeLostSeconds()]).toEqual([21, 3590]);
});

test('at the speed "max" the clock advances nothing', () => {
  const { clock, robot, pacer } = setUp("max");
  clock.milliseconds += 40;
  pacer.catchUp();
  expect(robot.time).toBe(3);
  expect(pacer.takeLostSeconds()).toBe(0);
});

test("on demand the clock advances as far as it went, however far", () => {
  const { clock, robot, pacer } = setUp("on-demand");
  clock.milliseconds += 7_200_000;
  pacer.catchUp();
  expect([robot.time, pacer.takeLostSeconds()]).toEqual([7203, 0]);
});
