import { describe, expect, test } from "vitest";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import { Instruction } from "../../../robot/servo/protocol/packet.ts";
import { Harness } from "./testing/harness.ts";

/** Where a packet has its instruction. */
const INSTRUCTION_AT = 7;
const WRITES: readonly number[] = [Instruction.write, Instruction.syncWrite];
const nod = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0.3, yaw: 0 });

describe("unplugging", () => {
  test("ends the move with an error that says what to do; plugged in again, the robot holds where it is", async () => {
    const harness = await Harness.awake();
    const move = harness.robot.goto({ head: nod, duration: 2, method: "minjerk" });
    const outcome = expect(move).rejects.toMatchObject({ code: "robot-not-ready" });
    await harness.run(1000);
    harness.link.unplug();
    await harness.run(50);
    await outcome;
    expect(harness.robot.state).toMatchObject({ phase: "error", move: null, sent: null });
    expect(harness.robot.state.error).toMatch(/simulator, is gone.*Plug the robot in again/);
    await expect(harness.robot.wakeUp()).rejects.toMatchObject({ code: "robot-not-ready" });
    await harness.run(3000);
    expect(harness.eventsOf("phase").filter(({ level }) => level === "error")).toHaveLength(2);

    const left = harness.link.robot.physics.posture().joints;
    harness.link.plugged = true;
    await harness.until(() => harness.robot.state.sent !== null);
    await harness.run(100);
    expect(harness.robot.state).toMatchObject({ phase: "running", awake: true, error: null });
    harness.link.robot.physics.posture().joints.forEach((angle, joint) => {
      expect(Math.abs(angle - (left[joint] ?? 9))).toBeLessThan(0.05);
    });
    expect(await harness.settle(harness.robot.endAppSession())).toBe("finished");
  });

  test.each([
    ["before the return was called for", 0],
    ["during the return", 200],
  ])("%s: it is made up for when the robot is back, and the state says so meanwhile", async (_, ms) => {
    const harness = await Harness.awake();
    await harness.settle(harness.robot.goto({ head: nod, antennas: [1, -1], duration: 0.5, method: "linear" }));
    if (ms === 0) harness.link.unplug();
    await harness.run(50);
    const outcome = expect(harness.robot.endAppSession()).rejects.toMatchObject({
      code: "robot-not-ready",
      message: expect.stringContaining("It returns to its default pose when it is connected again."),
    });
    await harness.run(ms);
    harness.link.unplug();
    await harness.run(100);
    await outcome;
    expect(harness.robot.state.error).toMatch(/is gone.*It returns to its default pose when it is connected again\./);
    harness.link.plugged = true;
    await harness.until(() => harness.robot.state.move?.kind === "return_to_default");
    expect(harness.robot.state.error).toBeNull();
    await harness.until(() => harness.robot.state.move === null);
    await harness.run(200);
    expect(harness.robot.state.antennas[0]).toBeCloseTo(DEFAULT_POSE.antennas[0], 1);
  });

  test.each([
    ["before it has started", () => true],
    ["while it runs", (harness: Harness) => harness.robot.state.move?.kind === "return_to_default"],
  ])("an app that begins %s moves the robot instead", async (_, isTime) => {
    const harness = await Harness.awake();
    await harness.settle(harness.robot.goto({ head: nod, antennas: [1, -1], duration: 0.5, method: "linear" }));
    harness.link.unplug();
    await harness.run(50);
    await expect(harness.robot.endAppSession()).rejects.toMatchObject({ code: "robot-not-ready" });
    harness.link.plugged = true;
    await harness.until(() => harness.robot.state.phase === "running" && isTime(harness));
    await harness.settle(harness.robot.beginAppSession({ pid: 1 }));
    await harness.run(100);
    expect(harness.robot.state.move).toBeNull();
    await harness.robot.setTarget({ antennas: [0.5, -0.5] });
    await harness.run(2000);
    expect(harness.robot.state.antennas[0]).toBeCloseTo(0.5, 1);
    const moves = harness.eventsOf("move_started").filter(({ data }) => data.kind === "return_to_default");
    expect(moves.length).toBeLessThanOrEqual(1);
  });

  test.each([1, 2, 3])(
    "with packet %i of the period in which a return begins, the return waits as well",
    async (packet) => {
      const harness = await Harness.awake();
      let packets = 0;
      harness.link.toServos = (bytes) => {
        packets += 1;
        if (packets === packet) harness.link.unplug();
        return bytes;
      };
      const outcome = expect(harness.robot.endAppSession()).rejects.toMatchObject({ code: "robot-not-ready" });
      await harness.run(50);
      await outcome;
      expect(harness.robot.state).toMatchObject({ phase: "error", move: null });
      harness.link.toServos = (bytes) => bytes;
      harness.link.plugged = true;
      await harness.until(() => harness.robot.state.move !== null);
      await harness.until(() => harness.robot.state.move === null);
      const returns = harness.eventsOf("move_ended").filter(({ data }) => data.kind === "return_to_default");
      expect(returns.map(({ data }) => data.outcome)).toEqual(["finished"]);
    },
  );

  test("a return that fails because no servo answers for a moment is made up for, though the robot stays connected", async () => {
    const harness = await Harness.awake();
    await harness.settle(harness.robot.goto({ head: nod, antennas: [1, -1], duration: 0.5, method: "linear" }));
    await harness.settle(harness.robot.setMotorMode("disabled"));
    harness.link.fromServos = () => null;
    await expect(harness.settle(harness.robot.endAppSession())).rejects.toMatchObject({ code: "robot-not-ready" });
    harness.link.fromServos = (bytes) => bytes;
    await harness.until(() => harness.robot.state.move?.kind === "return_to_default");
    await harness.until(() => harness.robot.state.move === null);
    await harness.run(200);
    expect(harness.robot.state.antennas[0]).toBeCloseTo(DEFAULT_POSE.antennas[0], 1);
    expect(harness.eventsOf("phase").filter(({ level }) => level === "error")).toEqual([]);
  });

  test("a missed return to default is skipped when an app has started meanwhile", async () => {
    const harness = await Harness.awake();
    harness.link.unplug();
    await harness.run(50);
    await expect(harness.robot.endAppSession()).rejects.toMatchObject({ code: "robot-not-ready" });
    await harness.robot.beginAppSession({ pid: 1 });
    expect(harness.robot.state.error).not.toMatch(/default pose/);
    harness.link.plugged = true;
    await harness.until(() => harness.robot.state.sent !== null);
    await harness.run(200);
    expect(harness.eventsOf("move_started").map(({ data }) => data.kind)).toEqual(["wake_up"]);
  });

  test("a robot that lost its power meanwhile is held again without a jump", async () => {
    const harness = await Harness.awakeInPhysics();
    harness.link.unplug();
    harness.link.robot.reset();
    await harness.run(1000);
    const before = harness.link.robot.physics.posture().joints;
    harness.link.plugged = true;
    await harness.until(() => harness.robot.state.sent !== null);
    await harness.run(200);
    harness.link.robot.physics.posture().joints.forEach((angle, joint) => {
      expect(Math.abs(angle - (before[joint] ?? 9))).toBeLessThan(0.05);
    });
  });
});

test("a return that another one follows is left out, and what was called for between them is cancelled", async () => {
  const harness = await Harness.awake();
  const first = harness.robot.endAppSession();
  const between = harness.robot.goto({ antennas: [1, -1], duration: 1, method: "linear" });
  const second = harness.robot.endAppSession();
  expect(await harness.settle(Promise.all([first, between, second]))).toEqual(["finished", "cancelled", "finished"]);
  const returns = harness.eventsOf("move_started").filter(({ data }) => data.kind === "return_to_default");
  expect(returns).toHaveLength(1);
});

test("a return does not start when an app begins while the motors are enabled for it", async () => {
  const harness = await Harness.awake();
  await harness.settle(harness.robot.setMotorMode("disabled"));
  let begun: Promise<void> | undefined;
  harness.link.toServos = (bytes) => {
    // Without torque nothing else is written.
    if (WRITES.includes(bytes[INSTRUCTION_AT] ?? 0)) begun ??= harness.robot.beginAppSession({ pid: 1 });
    return bytes;
  };
  await harness.settle(harness.robot.endAppSession());
  await harness.settle(begun ?? Promise.reject(new Error("nothing was written")));
  await harness.run(100);
  expect(harness.robot.state).toMatchObject({ motorMode: "enabled", move: null });
  expect(harness.eventsOf("move_started").map(({ data }) => data.kind)).toEqual(["wake_up"]);
});
