import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INIT } from "../../robot/description/poses.ts";
import { poseFromRpy } from "../../robot/kinematics/pose.ts";
import { Harness } from "./testing/harness.ts";
import type { Wire } from "./testing/simulated-link.ts";

const STEWART_1 = 1;
const nod = poseFromRpy([0, 0, 0], { roll: 0, pitch: 0.3, yaw: 0 });

/** A wire on which a share of the packets is lost or has one byte changed, the same ones for the same seed. */
function badWire(seed: number, share: number, spoil: (bytes: Uint8Array) => Uint8Array | null): Wire {
  let state = seed;
  return (bytes) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 < share ? spoil(bytes) : bytes;
  };
}
const lose = (): null => null;
const damage = (bytes: Uint8Array): Uint8Array => bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 0x55);

describe("a bad wire", () => {
  test.each([
    ["loses", lose],
    ["damages", damage],
  ])("that %s one packet in fifty changes nothing about a wake-up and a goto", async (_, spoil) => {
    const harness = await Harness.asleep();
    harness.link.toServos = badWire(1, 0.02, spoil);
    harness.link.fromServos = badWire(2, 0.02, spoil);
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

  test("a reply that arrives in pieces is the same reply", async () => {
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
  test("holds the move up: what was sent meanwhile arrives in one heap, and the robot does not leap", async () => {
    const harness = await Harness.awake();
    const move = harness.robot.goto({ head: nod, duration: 2, method: "linear" });
    await harness.run(1000);
    const { sent: before } = harness.robot.state;
    const heap: Uint8Array[] = [];
    harness.link.toServos = (bytes) => {
      heap.push(bytes);
      return null;
    };
    await harness.run(700);
    const { sent: after } = harness.robot.state;
    after?.headJoints.forEach((angle, joint) => {
      expect(Math.abs(angle - (before?.headJoints[joint] ?? 9))).toBeLessThan(0.03);
    });
    harness.link.toServos = (bytes) => bytes;
    for (const bytes of heap) harness.link.robot.receive(bytes);
    expect(await harness.settle(move)).toBe("finished");
    expect(harness.robot.state).toMatchObject({ phase: "running", error: null });
    expect(harness.eventsOf("fault")).toEqual([]);
  });
});

describe("unplugging", () => {
  test("ends the move with an error, says what to do, and the robot goes on where it is after replugging", async () => {
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
    expect(await harness.settle(harness.robot.returnToDefault())).toBe("finished");
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

describe("servos in trouble", () => {
  test("one that falls silent is named, and found again", async () => {
    const harness = await Harness.awake();
    const servo = harness.link.robot.servos.servos[STEWART_1]!;
    servo.ailment.silent = true;
    await harness.until(() => harness.robot.state.phase === "error");
    expect(harness.robot.state.error).toMatch(/Servo 11 \(stewart_1\)/);
    await harness.run(4000);
    expect(harness.robot.state.error).toMatch(/Servo 11 \(stewart_1\)/);
    servo.ailment.silent = false;
    await harness.until(() => harness.robot.state.phase === "running");
    await harness.run(100);
    expect(harness.robot.state).toMatchObject({ motorMode: "enabled", error: null });
  });

  test("one that overheats is a fault with a remedy; the next wake-up restarts it once it has cooled down", async () => {
    const harness = await Harness.awake();
    const move = harness.robot.goto({ head: nod, duration: 5, method: "minjerk" });
    const outcome = expect(move).rejects.toMatchObject({ code: "robot-fault" });
    const servo = harness.link.robot.servos.servos[STEWART_1]!;
    servo.ailment.extraHeat = 100;
    await harness.until(() => harness.robot.state.phase === "error");
    await outcome;
    const [fault] = harness.eventsOf("fault");
    expect(fault?.message).toMatch(/Servo 11 \(stewart_1\) reports overheated\. Let it cool down/);
    expect(fault?.data).toEqual({ joint: STEWART_1 });
    expect(harness.robot.state.error).toBe(fault?.message);
    harness.robot.setTarget({ head: INIT.head });
    expect(harness.eventsOf("target_refused")).toHaveLength(1);

    servo.ailment.extraHeat = 0;
    expect(await harness.settle(harness.robot.wakeUp())).toBe("finished");
    expect(harness.robot.state).toMatchObject({ phase: "running", error: null });
  });

  test("one that restarted by itself has lost its torque, which is told", async () => {
    const harness = await Harness.awake();
    harness.link.robot.servos.servos[STEWART_1]!.memory.set("torqueEnable", 0);
    await harness.until(() => harness.robot.state.phase === "error");
    expect(harness.robot.state.error).toMatch(/Servo 11 \(stewart_1\) lost its torque/);
    await harness.settle(harness.robot.setMotorMode("enabled"));
    await harness.run(100);
    expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled", error: null });
  });

  test("one mounted with another's settings is not moved", async () => {
    const harness = await Harness.asleep();
    harness.link.unplug();
    harness.link.robot.servos.servos[STEWART_1]!.memory.set("homingOffset", 0);
    harness.link.plugged = true;
    await harness.until(() => harness.robot.state.error?.includes("homing offset") ?? false);
    expect(harness.robot.state.error).toMatch(/stewart_1.*homing offset 0, expected 1024.*setup-servo/);
  });
});

describe("antennas", () => {
  test("a touch of a sleeping robot's antenna is felt once", async () => {
    const harness = await Harness.asleep();
    await harness.run(1500);
    const { physics } = harness.link.robot;
    const antenna = physics.body("left_antenna")!;
    const { x, y, z } = antenna.worldCom();
    physics.push("hand", { body: "left_antenna", point: [x, y, z], force: [0.4, 0, 0] }, 0.2);
    await harness.run(800);
    expect(harness.eventsOf("antenna_touched").map(({ data }) => data)).toEqual([{ antenna: "left" }]);
  });

  test("moving them is no touch", async () => {
    const harness = await Harness.awake();
    const wave = { duration: 0.3, method: "minjerk" as const };
    await harness.settle(harness.robot.goto({ antennas: [1.5, -1.5], ...wave }));
    await harness.settle(harness.robot.goToSleep());
    await harness.run(2000);
    expect(harness.eventsOf("antenna_touched")).toEqual([]);
  });
});
