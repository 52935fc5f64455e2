import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../common/seeded-random.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import type { Servo } from "../../../sim/servos/servo.ts";
import { Harness } from "./testing/harness.ts";
import { AT_REST, headError, STANDING_MS } from "./testing/head-error.ts";
import type { Wire } from "./testing/simulated-link.ts";

const STEWART_1 = 1;
const nod = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0.3, yaw: 0 });

/** A wire that changes a share of the packets, the same ones for the same seed. */
function faultyWire(seed: number, share: number, change: (bytes: Uint8Array) => Uint8Array | null): Wire {
  const random = seededRandom(seed);
  return (bytes) => (random() < share ? change(bytes) : bytes);
}
const lose = (): null => null;
const damage = (bytes: Uint8Array): Uint8Array => bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 0x55);

describe("a link that loses or damages packets", () => {
  test.each([
    ["loses", lose],
    ["damages", damage],
  ])("that %s one packet in fifty does not change a wake-up and a goto", async (_, change) => {
    const harness = await Harness.asleep();
    harness.link.toServos = faultyWire(1, 0.02, change);
    harness.link.fromServos = faultyWire(2, 0.02, change);
    expect(await harness.settle(harness.robot.wakeUp())).toBe("finished");
    expect(await harness.settle(harness.robot.goto({ head: nod, duration: 1, method: "minjerk" }))).toBe("finished");
    await harness.run(300);
    const { state } = harness.robot;
    expect(state).toMatchObject({ phase: "running", error: null });
    expect(state.loop.busErrors).toBeGreaterThan(0);
    state.headJoints.forEach((angle, joint) => {
      expect(Math.abs(angle - (state.sent?.headJoints[joint] ?? 9))).toBeLessThan(0.05);
    });
    expect(harness.eventsOf("fault")).toEqual([]);
  });

  test("a reply that arrives in pieces is put together", async () => {
    const harness = await Harness.asleep();
    const pieces = fc.sample(fc.integer({ min: 1, max: 20 }), 50);
    let piece = 0;
    harness.link.fromServos = (bytes) => {
      for (let at = 0; at < bytes.length; ) {
        const length = pieces[piece++ % pieces.length] ?? 1;
        harness.link.deliver(bytes.slice(at, at + length));
        at += length;
      }
      return null;
    };
    expect(await harness.settle(harness.robot.wakeUp())).toBe("finished");
    expect(harness.robot.state.loop.busErrors).toBe(0);
  });
});

describe("a link that stalls", () => {
  test("delays the move; packets of that time arrive together, and the robot does not jump", async () => {
    const harness = await Harness.awake();
    const move = harness.robot.goto({ head: nod, duration: 2, method: "linear" });
    await harness.run(1000);
    const { sent: before } = harness.robot.state;
    const delayed: Uint8Array[] = [];
    harness.link.toServos = (bytes) => {
      delayed.push(bytes);
      return null;
    };
    await harness.run(700);
    const { sent: after } = harness.robot.state;
    after?.headJoints.forEach((angle, joint) => {
      expect(Math.abs(angle - (before?.headJoints[joint] ?? 9))).toBeLessThan(0.03);
    });
    harness.link.toServos = (bytes) => bytes;
    for (const bytes of delayed) harness.link.robot.receive(bytes);
    expect(await harness.settle(move)).toBe("finished");
    expect(harness.robot.state).toMatchObject({ phase: "running", error: null });
    expect(harness.eventsOf("fault")).toEqual([]);
  });
});

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
    const harness = await Harness.awake();
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

describe("a servo", () => {
  test("that stops answering is named, and connected again when it answers", async () => {
    const harness = await Harness.awake();
    const servo = harness.link.robot.servos.servos[STEWART_1]!;
    servo.faultState.silent = true;
    await harness.until(() => harness.robot.state.phase === "error");
    expect(harness.robot.state.error).toMatch(/Servo 11 \(stewart_1\)/);
    await harness.run(4000);
    expect(harness.robot.state.error).toMatch(/Servo 11 \(stewart_1\)/);
    servo.faultState.silent = false;
    await harness.until(() => harness.robot.state.phase === "running");
    await harness.run(100);
    expect(harness.robot.state).toMatchObject({ motorMode: "enabled", error: null });
  });

  test("that overheats is a fault with a remedy; a wake-up after it has cooled down reboots it", async () => {
    const harness = await Harness.awake();
    const move = harness.robot.goto({ head: nod, duration: 5, method: "minjerk" });
    const outcome = expect(move).rejects.toMatchObject({ code: "robot-fault" });
    const servo = harness.link.robot.servos.servos[STEWART_1]!;
    servo.faultState.extraHeat = 100;
    await harness.until(() => harness.robot.state.phase === "error");
    await outcome;
    const [fault] = harness.eventsOf("fault");
    expect(fault?.message).toMatch(/Servo 11 \(stewart_1\) reports overheated\. Let it cool down/);
    expect(fault?.data).toEqual({ joint: STEWART_1 });
    expect(harness.robot.state.error).toBe(fault?.message);
    await expect(harness.robot.setTarget({ head: DEFAULT_POSE.head })).rejects.toMatchObject({ code: "robot-fault" });
    expect(harness.eventsOf("target_refused")).toHaveLength(1);

    servo.faultState.extraHeat = 0;
    expect(await harness.settle(harness.robot.wakeUp())).toBe("finished");
    expect(harness.robot.state).toMatchObject({ phase: "running", error: null });
  });

  describe("that has lost its torque", () => {
    test.each<[string, (servo: Servo) => void, RegExp]>([
      [
        "after a power cut",
        (servo) => servo.controlTable.set("torqueEnable", 0),
        /lost its torque, as after a power cut/,
      ],
      [
        "by a latched voltage error",
        (servo) => servo.setFaultState({ latch: true }),
        /lost its torque and reports input voltage out of range \(0x01\)/,
      ],
    ])("%s gets it again within a second, is reported and led back", async (_, lose, message) => {
      const harness = await Harness.awake();
      const servo = harness.link.robot.servos.servos[STEWART_1]!;
      const move = harness.robot.goto({ head: nod, duration: 2, method: "minjerk" });
      await harness.run(500);
      lose(servo);
      await harness.run(1000);
      expect(servo.controlTable.get("torqueEnable")).toBe(1);
      expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled", error: null });
      expect(harness.eventsOf("fault").map(({ level, message }) => [level, message])).toEqual([
        ["warning", expect.stringMatching(message)],
        ["info", "Servo 11 (stewart_1) has its torque again."],
      ]);
      expect(await harness.settle(move)).toBe("finished");
      await harness.run(500);
      await harness.run(STANDING_MS);
      expect(headError(harness, nod).degrees).toBeLessThan(AT_REST.degrees);
    });

    test("in a robot that stands still is led back to its target", async () => {
      const harness = await Harness.awake();
      await harness.run(3000);
      harness.link.robot.servos.servos[STEWART_1]!.controlTable.set("torqueEnable", 0);
      await harness.run(1500);
      await harness.run(STANDING_MS);
      expect(headError(harness, DEFAULT_POSE.head).degrees).toBeLessThan(AT_REST.degrees);
    });

    test("again and again is a fault that names the supply", async () => {
      const harness = await Harness.awake();
      const servo = harness.link.robot.servos.servos[STEWART_1]!;
      for (let times = 0; times < 4; times++) {
        servo.controlTable.set("torqueEnable", 0);
        await harness.run(1000);
      }
      expect(harness.robot.state.error).toMatch(/turned on again 3 times within 30 s.*power supply \(6\.8 to 7\.6 V\)/);
      await harness.settle(harness.robot.setMotorMode("enabled"));
      expect(harness.robot.state).toMatchObject({ phase: "running", error: null });
    });

    test("like all others, by one voltage spike, holds the head again", async () => {
      const harness = await Harness.awake();
      for (const servo of harness.link.robot.servos.servos) servo.setFaultState({ latch: true });
      await harness.run(2000);
      expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled", error: null });
      expect(harness.link.robot.servos.servos.map(({ controlTable }) => controlTable.get("torqueEnable"))).toEqual(
        Array(9).fill(1),
      );
    });
  });

  test("with the settings of another joint is not moved", async () => {
    const harness = await Harness.asleep();
    harness.link.unplug();
    harness.link.robot.servos.servos[STEWART_1]!.controlTable.set("homingOffset", 0);
    harness.link.plugged = true;
    await harness.until(() => harness.robot.state.error?.includes("homing offset") ?? false);
    expect(harness.robot.state.error).toMatch(/stewart_1.*homing offset 0, expected 1024.*setup-servo/);
  });
});

describe("antennas", () => {
  test("touching an antenna of a sleeping robot is reported once", async () => {
    const harness = await Harness.asleep();
    await harness.run(1500);
    const { physics } = harness.link.robot;
    const antenna = physics.body("left_antenna")!;
    const { x, y, z } = antenna.worldCom();
    physics.push("hand", { body: "left_antenna", point: [x, y, z], force: [0.4, 0, 0] }, 0.2);
    await harness.run(800);
    expect(harness.eventsOf("antenna_touched").map(({ data }) => data)).toEqual([{ antenna: "left" }]);
  });

  test("that are moved by a move are not touched", async () => {
    const harness = await Harness.awake();
    const wave = { duration: 0.3, method: "minjerk" as const };
    await harness.settle(harness.robot.goto({ antennas: [1.5, -1.5], ...wave }));
    await harness.settle(harness.robot.goToSleep());
    await harness.run(2000);
    expect(harness.eventsOf("antenna_touched")).toEqual([]);
  });
});
