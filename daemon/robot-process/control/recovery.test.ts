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
    const harness = await Harness.asleepInPhysics();
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
    const harness = await Harness.asleepInPhysics();
    await harness.run(1500);
    const { physics } = harness.link.robot;
    const antenna = physics.body("left_antenna")!;
    const { x, y, z } = antenna.worldCom();
    physics.push("hand", { body: "left_antenna", point: [x, y, z], force: [0.4, 0, 0] }, 0.2);
    await harness.run(800);
    expect(harness.eventsOf("antenna_touched").map(({ data }) => data)).toEqual([{ antenna: "left" }]);
  });

  test("that are moved by a move are not touched", async () => {
    const harness = await Harness.awakeInPhysics();
    const wave = { duration: 0.3, method: "minjerk" as const };
    await harness.settle(harness.robot.goto({ antennas: [1.5, -1.5], ...wave }));
    await harness.settle(harness.robot.goToSleep());
    await harness.run(2000);
    expect(harness.eventsOf("antenna_touched")).toEqual([]);
  });
});
