import { expect, test } from "vitest";
import { Harness } from "./testing/harness.ts";

const PERIOD_MS = 10;

/** The times at which the loop sent bytes to the servos, milliseconds. */
function recordTicks({ link, clock }: Harness): number[] {
  const times: number[] = [];
  link.toServos = (bytes) => {
    if (times.at(-1) !== clock.now()) times.push(clock.now());
    return bytes;
  };
  return times;
}

/** A robot at rest that nobody has watched for long enough. */
async function idle<H extends Pick<Harness, "robot" | "run">>(start: () => Promise<H>): Promise<H> {
  const harness = await start();
  void harness.robot.setWatched(false);
  await harness.run(3000);
  return harness;
}

test.each([
  { state: "awake", start: Harness.awake, perSecond: 10 },
  { state: "asleep", start: Harness.asleep, perSecond: 5 },
])("the bus of a robot that is $state, at rest and unwatched is used $perSecond times a second", async (row) => {
  const harness = await idle(row.start);
  const ticks = recordTicks(harness);
  harness.states.length = 0;
  await harness.run(2000);
  expect(Math.abs(ticks.length - 2 * row.perSecond)).toBeLessThanOrEqual(1);
  expect(Math.abs(harness.states.length - 10)).toBeLessThanOrEqual(1);
});

test("somebody who watches sees the robot at rest fifty times a second", async () => {
  const harness = await idle(Harness.awake);
  void harness.robot.setWatched(true);
  const ticks = recordTicks(harness);
  harness.states.length = 0;
  await harness.run(2000);
  expect(ticks.length).toBeGreaterThanOrEqual(98);
  expect(harness.states.length).toBeGreaterThanOrEqual(98);
});

test("a target moves an idle robot in the next period", async () => {
  const harness = await idle(Harness.awake);
  const ticks = recordTicks(harness);
  const before = harness.clock.now();
  void harness.robot.setTarget({ bodyYaw: 0.3 });
  await harness.run(500);
  expect(ticks[0]! - before).toBeLessThanOrEqual(PERIOD_MS);
  expect(harness.robot.state.headJoints[0]).toBeGreaterThan(0.2);
});

test("a call to an idle robot is done in the next period", async () => {
  const harness = await idle(Harness.asleep);
  const ticks = recordTicks(harness);
  const before = harness.clock.now();
  void harness.robot.setMotorMode("enabled").catch(() => undefined);
  await harness.run(500);
  expect(ticks[0]! - before).toBeLessThanOrEqual(PERIOD_MS);
  expect(harness.robot.state.motorMode).toBe("enabled");
});

test.each([
  { state: "awake", start: Harness.awakeInPhysics, newtons: 2, seconds: 0.5 },
  { state: "asleep", start: Harness.asleepInPhysics, newtons: 0.4, seconds: 0.2 },
])("a touch of $seconds s is detected on an idle robot that is $state", async ({ start, newtons, seconds }) => {
  const harness = await idle(start);
  const { physics } = harness.link.robot;
  const { x, y, z } = physics.body("left_antenna")!.worldCom();
  physics.push("hand", { body: "left_antenna", point: [x, y, z], force: [newtons, 0, 0] }, seconds);
  await harness.run(1000);
  expect(harness.eventsOf("antenna_touched").map(({ data }) => data)).toEqual([{ antenna: "left" }]);
});
