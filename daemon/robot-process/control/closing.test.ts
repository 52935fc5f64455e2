import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { DEFAULT_POSE, SLEEP_POSE } from "../../../robot/description/poses.ts";
import { IDENTITY } from "../../../robot/kinematics/pose.ts";
import type { RobotController } from "./robot-controller.ts";
import { Harness } from "./testing/harness.ts";
import { headError } from "./testing/head-error.ts";

/** An awake robot that has begun to close, and moves to the sleep pose. */
async function closing(): Promise<{ harness: Harness; closed: Promise<void> }> {
  const harness = await Harness.awake();
  const closed = harness.robot.close();
  await harness.until(() => harness.robot.state.move?.kind === "goto_sleep");
  return { harness, closed };
}

async function expectAsleep(harness: Harness): Promise<void> {
  expect(harness.robot.state).toMatchObject({ phase: "stopped", awake: false, motorMode: "disabled" });
  expect(headError(harness, SLEEP_POSE.head).mm).toBeLessThan(10);
  expect(harness.eventsOf("move_ended").at(-1)?.data).toMatchObject({ kind: "goto_sleep", outcome: "finished" });
}

const CALLS: [string, (robot: RobotController) => Promise<unknown>][] = [
  ["goto", (robot) => robot.goto({ head: IDENTITY, duration: 1, method: "linear" })],
  ["play", (robot) => robot.play([{ t: 0, head: [...IDENTITY], antennas: [0, 0], bodyYaw: 0 }])],
  ["wakeUp", (robot) => robot.wakeUp()],
  ["goToSleep", (robot) => robot.goToSleep()],
  ["setMotorMode", (robot) => robot.setMotorMode("disabled")],
  ["setTorque", (robot) => robot.setTorque(false, null)],
  ["setTarget", (robot) => robot.setTarget({ antennas: [1, -1] })],
];

describe("a robot that closes", () => {
  test("refuses all calls that would move it, and moves to the sleep pose", async () => {
    const { harness, closed } = await closing();
    for (const [name, call] of CALLS)
      await expect(harness.settle(call(harness.robot)), name).rejects.toMatchObject({
        code: "robot-not-ready",
        message: "The daemon is shutting down.",
      });
    await harness.settle(closed);
    await expectAsleep(harness);
  });

  test("moves to the sleep pose when it counts as asleep, but its motors are on", async () => {
    const harness = await Harness.asleep();
    await harness.settle(harness.robot.setMotorMode("enabled"));
    await harness.settle(harness.robot.close());
    await expectAsleep(harness);
  });

  test("does not cancel the move to the sleep pose", async () => {
    const { harness, closed } = await closing();
    expect(await harness.settle(harness.robot.cancelMove())).toBe(false);
    await harness.settle(closed);
    await expectAsleep(harness);
  });

  test("refuses calls that come before the move to the sleep pose has begun", async () => {
    const harness = await Harness.awake();
    const closed = harness.robot.close();
    const refused = { code: "robot-not-ready" };
    await expect(harness.robot.setTarget({ antennas: [1, -1] })).rejects.toMatchObject(refused);
    await expect(harness.settle(harness.robot.wakeUp())).rejects.toMatchObject(refused);
    await harness.settle(closed);
    await expectAsleep(harness);
  });

  test.each([0, 1, 4, 16])(
    "while it begins to wake up (%i turns of the event loop before) ends asleep",
    async (turns) => {
      const harness = await Harness.awake();
      expect(await harness.settle(harness.robot.goToSleep())).toBe("finished");
      const woken = harness.robot.wakeUp();
      const ticks = harness.run(20);
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      const closed = harness.robot.close();
      await ticks;
      await harness.settle(closed);
      await expectAsleep(harness);
      expect(await woken).toBe("superseded");
    },
  );

  test("returns to the default pose all the same, and stops after it", async () => {
    const { harness, closed } = await closing();
    await harness.run(300);
    expect(await harness.settle(harness.robot.endAppSession())).toBe("finished");
    await harness.settle(closed);
    expect(harness.robot.state.phase).toBe("stopped");
    expect(headError(harness, DEFAULT_POSE.head).mm).toBeLessThan(5);
  });
});
