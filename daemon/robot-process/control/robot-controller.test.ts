import { describe, expect, test } from "vitest";
import { DEGREE } from "../../../common/degree.ts";
import type { Pose } from "../../../robot/description/frames.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { DEFAULT_POSE, SLEEP_POSE } from "../../../robot/description/poses.ts";
import { IDENTITY, poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { Harness } from "./testing/harness.ts";
import { AT_REST, headError, STANDING_MS } from "./testing/head-error.ts";

/** One, and rounding. */
const NO_FASTER = 1 + 1e-6;
const turnedHead = (yaw: number, z = 0): Pose => poseFromRpy([0, 0, z], { roll: 0, pitch: 0, yaw: yaw * DEGREE });

/** The highest speed of any goal between two states, as a share of its joint's maximum velocity. */
function fastestGoal({ states }: Pick<Harness, "states">): number {
  const latest = [...new Map(states.map((state) => [state.timestamp, state])).values()];
  let fastest = 0;
  for (const [index, { sent, timestamp }] of latest.entries()) {
    const last = latest[index - 1];
    if (!sent || !last?.sent) continue;
    const before = [...last.sent.headJoints, ...last.sent.antennas];
    [...sent.headJoints, ...sent.antennas].forEach((angle, joint) => {
      const speed = Math.abs(angle - (before[joint] ?? 0)) / (timestamp - last.timestamp);
      fastest = Math.max(fastest, speed / JOINTS[joint]!.maxVelocity);
    });
  }
  return fastest;
}

describe("waking and sleeping", () => {
  test("a robot that was just plugged in is asleep, with its motors off", async () => {
    const { robot } = await Harness.asleep();
    expect(robot.state).toMatchObject({
      phase: "running",
      motorMode: "disabled",
      awake: false,
      sent: null,
      move: null,
    });
    expect(robot.state.antennas[0]).toBeCloseTo(SLEEP_POSE.antennas[0], 1);
  });

  test("wake-up leads to the default posture without a jump", async () => {
    const harness = await Harness.asleepInPhysics();
    expect(await harness.settle(harness.robot.wakeUp("w"))).toBe("finished");
    await harness.run(200);
    const { state } = harness.robot;
    expect(state).toMatchObject({ motorMode: "enabled", awake: true, move: null, error: null });
    await harness.run(STANDING_MS);
    expect(headError(harness, DEFAULT_POSE.head).mm).toBeLessThan(AT_REST.mm);
    expect(headError(harness, DEFAULT_POSE.head).degrees).toBeLessThan(AT_REST.degrees);
    expect(state.antennas[1]).toBeCloseTo(DEFAULT_POSE.antennas[1], 1);
    expect(fastestGoal(harness)).toBeLessThanOrEqual(NO_FASTER);
    expect(harness.kinds.filter((kind) => kind !== "phase")).toEqual([
      "motor_mode",
      "move_started",
      "cue",
      "move_ended",
    ]);
    expect(harness.eventsOf("move_ended")[0]?.data).toMatchObject({ id: "w", kind: "wake_up", outcome: "finished" });
  });

  test("a robot whose head has fallen to the side is raised slowly", async () => {
    const harness = await Harness.awakeInPhysics();
    await harness.settle(harness.robot.setMotorMode("disabled"));
    harness.link.robot.physics.push("hand", { body: "head", point: [0, 0, 0.25], force: [0, 4, -2] }, 1);
    await harness.run(2000);
    harness.states.length = 0;
    expect(await harness.settle(harness.robot.wakeUp())).toBe("finished");
    expect(fastestGoal(harness)).toBeLessThan(0.4);
    await harness.run(200);
    await harness.run(STANDING_MS);
    expect(headError(harness, DEFAULT_POSE.head).mm).toBeLessThan(AT_REST.mm);
  });

  test("goToSleep moves to the sleep pose and disables the motors", async () => {
    const harness = await Harness.awake();
    expect(await harness.settle(harness.robot.goToSleep())).toBe("finished");
    await harness.run(1000);
    expect(harness.robot.state).toMatchObject({ motorMode: "disabled", awake: false, sent: null });
    expect(headError(harness, SLEEP_POSE.head).mm).toBeLessThan(10);
  });

  test("goToSleep with the motors off does not undo a wake-up that is called right after it", async () => {
    const harness = await Harness.asleep();
    const slept = harness.robot.goToSleep();
    const woken = harness.robot.wakeUp();
    expect(await harness.settle(slept)).toBe("finished");
    expect(await harness.settle(woken)).toBe("finished");
    expect(harness.robot.state).toMatchObject({ motorMode: "enabled", awake: true });
  });

  test("a robot whose motors are off is not awake after goToSleep", async () => {
    const harness = await Harness.awake();
    await harness.settle(harness.robot.setMotorMode("disabled"));
    expect(await harness.settle(harness.robot.goToSleep())).toBe("finished");
    await harness.run(100);
    expect(harness.robot.state).toMatchObject({ motorMode: "disabled", awake: false });
  });

  test("a sleeping robot does not return to the default posture", async () => {
    const harness = await Harness.asleep();
    expect(await harness.settle(harness.robot.endAppSession())).toBe("finished");
    await harness.run(100);
    expect(harness.robot.state).toMatchObject({ motorMode: "disabled", awake: false });
  });

  test("closing puts an awake robot to sleep and closes the link", async () => {
    const harness = await Harness.awake();
    const closed: unknown[] = [];
    (await harness.link.open()).onClose((reason) => closed.push(reason));
    await harness.settle(harness.robot.close());
    expect(harness.robot.state).toMatchObject({ phase: "stopped", awake: false });
    expect(closed).toEqual([undefined]);
    await expect(harness.robot.wakeUp()).rejects.toMatchObject({ code: "robot-not-ready" });
  });
});

describe("moves", () => {
  test("goto arrives after its duration and reports its id meanwhile", async () => {
    const harness = await Harness.awake();
    const start = harness.clock.now();
    const head = turnedHead(20, 0.01);
    const ended = harness.robot.goto({ head, antennas: [0.5, -0.5], duration: 1, method: "minjerk" }, "g");
    await harness.run(500);
    expect(harness.robot.state.move).toEqual({ id: "g", kind: "goto" });
    expect(await harness.settle(ended)).toBe("finished");
    expect(harness.clock.now() - start).toBeGreaterThanOrEqual(1000);
    expect(harness.clock.now() - start).toBeLessThan(1200);
    await harness.run(200);
    await harness.run(STANDING_MS);
    expect(headError(harness, head).mm).toBeLessThan(AT_REST.mm);
    expect(harness.robot.state.antennas[0]).toBeCloseTo(0.5, 1);
  });

  test("a second goto starts where the first one was, without a jump", async () => {
    const harness = await Harness.awake();
    const first = harness.robot.goto({ head: turnedHead(40), duration: 1, method: "linear" });
    await harness.run(500);
    const second = harness.robot.goto({ head: turnedHead(-40), antennas: [1, -1], duration: 1, method: "minjerk" });
    expect(await harness.settle(first)).toBe("superseded");
    expect(await harness.settle(second)).toBe("finished");
    expect(fastestGoal(harness)).toBeLessThanOrEqual(NO_FASTER);
    await harness.run(200);
    await harness.run(STANDING_MS);
    expect(headError(harness, turnedHead(-40)).degrees).toBeLessThan(AT_REST.degrees);
  });

  test("cancelling a move leaves the robot where it is", async () => {
    const harness = await Harness.awake();
    const ended = harness.robot.goto({ head: turnedHead(40), duration: 2, method: "linear" }, "c");
    await harness.run(1000);
    expect(await harness.settle(harness.robot.cancelMove("another"))).toBe(false);
    expect(await harness.settle(harness.robot.cancelMove("c"))).toBe(true);
    expect(await harness.settle(ended)).toBe("cancelled");
    await harness.run(500);
    await harness.run(STANDING_MS);
    expect(headError(harness, turnedHead(20)).degrees).toBeLessThan(3 + AT_REST.degrees);
    expect(await harness.settle(harness.robot.cancelMove())).toBe(false);
  });

  test("returning to the default pose takes less than two seconds from anywhere", async () => {
    const harness = await Harness.awake();
    const far = { head: turnedHead(150), antennas: [3, -3] as const, bodyYaw: 2.2 };
    await harness.settle(harness.robot.goto({ ...far, duration: 2, method: "minjerk" }));
    const start = harness.clock.now();
    expect(await harness.settle(harness.robot.endAppSession())).toBe("finished");
    await harness.run(200);
    expect(harness.clock.now() - start).toBeLessThan(2000);
    await harness.run(STANDING_MS);
    expect(headError(harness, DEFAULT_POSE.head).degrees).toBeLessThan(AT_REST.degrees);
    expect(headError(harness, DEFAULT_POSE.head).mm).toBeLessThan(AT_REST.mm);
    expect(fastestGoal(harness)).toBeLessThanOrEqual(NO_FASTER);
  });

  test("an impossible goto is refused with the allowed range", async () => {
    const { robot, ...harness } = await Harness.awake().then((made) => ({
      robot: made.robot,
      settle: <T>(promise: Promise<T>) => made.settle(promise),
    }));
    const goto = (request: object) =>
      harness.settle(robot.goto({ duration: 1, method: "linear", ...request } as Parameters<typeof robot.goto>[0]));
    await expect(goto({ duration: 0 })).rejects.toMatchObject({ code: "target-refused" });
    await expect(goto({ duration: 3601 })).rejects.toThrow(/3601 s; use more than 0 and at most 3600/);
    await expect(goto({ antennas: [Number.NaN, 0] })).rejects.toThrow(/antennas\[0\] is NaN/);
    expect(robot.state.move).toBeNull();
  });
});

describe("targets", () => {
  test("are followed, and parts that they leave out stay", async () => {
    const harness = await Harness.awake();
    await harness.robot.setTarget({ antennas: [0.3, -0.3] });
    await harness.robot.setTarget({ head: turnedHead(10) });
    await harness.run(800);
    await harness.run(STANDING_MS);
    expect(headError(harness, turnedHead(10)).degrees).toBeLessThan(AT_REST.degrees);
    expect(harness.robot.state.sent?.antennas).toEqual([0.3, -0.3]);
    expect(fastestGoal(harness)).toBeLessThanOrEqual(NO_FASTER);
  });

  test("are refused while a move runs, with an event for the first and one for all others", async () => {
    const harness = await Harness.awake();
    const ended = harness.robot.goto({ head: turnedHead(10), duration: 1.5, method: "minjerk" });
    await harness.run(20);
    for (let sent = 0; sent < 70; sent++) {
      await expect(harness.robot.setTarget({ head: turnedHead(-30) })).rejects.toMatchObject({
        code: "target-refused",
      });
      await harness.run(20);
    }
    await harness.settle(ended);
    await harness.run(200);
    expect(harness.eventsOf("target_refused").map(({ message }) => message)).toEqual([
      expect.stringMatching(/Targets are refused while a move runs \(goto, id .*\)\. Wait for its end or cancel it\./),
    ]);
    await harness.run(10_000);
    expect(harness.eventsOf("target_refused")[1]).toMatchObject({
      message: "69 more targets were refused for the same reason within 1 s of the first.",
      data: { suppressed: 69 },
    });
    await harness.run(STANDING_MS);
    expect(headError(harness, turnedHead(10)).degrees).toBeLessThan(AT_REST.degrees);
  });

  test("are refused while the motors are off, with the next step", async () => {
    const harness = await Harness.asleep();
    await expect(harness.robot.setTarget({ head: IDENTITY })).rejects.toMatchObject({ code: "motors-off" });
    expect(harness.eventsOf("target_refused")[0]?.message).toMatch(/motors are off.*Wake the robot up/);
  });

  test("out of reach: the robot goes as far as it can and reports it", async () => {
    const harness = await Harness.awake();
    await harness.robot.setTarget({ head: turnedHead(0, 0.5), antennas: [9, 0] });
    await harness.run(500);
    const reasons = harness.eventsOf("target_clipped").map(({ data }) => [data.reason, data.move]);
    expect(reasons).toContainEqual(["range", null]);
    expect(harness.robot.state.sent?.antennas[0]).toBeCloseTo(Math.PI, 2);
    expect(fastestGoal(harness)).toBeLessThanOrEqual(NO_FASTER);
  });

  test("the body follows the head beyond its reach, unless automatic body yaw is off", async () => {
    const harness = await Harness.awake();
    await harness.robot.setTarget({ head: turnedHead(90) });
    await harness.run(1500);
    expect(harness.robot.state.headJoints[0]).toBeGreaterThan(20 * DEGREE);
    await harness.run(STANDING_MS);
    expect(headError(harness, turnedHead(90)).degrees).toBeLessThan(AT_REST.degrees);
    await harness.robot.setAutomaticBodyYaw(false);
    const body = harness.robot.state.sent?.headJoints[0] ?? 0;
    await harness.robot.setTarget({ head: turnedHead(-20) });
    await harness.run(1500);
    expect(harness.robot.state.sent?.headJoints[0]).toBeCloseTo(body, 3);
  });
});
