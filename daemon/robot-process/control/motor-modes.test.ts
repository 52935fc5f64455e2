import { describe, expect, test } from "vitest";
import { JOINTS } from "../../../robot/description/joints.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { syncWrite } from "../../../robot/servo/protocol/instructions.ts";
import { OperatingMode, REGISTERS, type RegisterName } from "../../../robot/servo/registers/control-table.ts";
import { dropWrites } from "./testing/drop-writes.ts";
import { Harness } from "./testing/harness.ts";
import { AT_REST, headError, STANDING_MS } from "./testing/head-error.ts";

describe("motor modes", () => {
  test("motors off, moved by hand and motors on: the robot stays where the hand left it", async () => {
    const harness = await Harness.awakeInPhysics();
    await harness.settle(harness.robot.setMotorMode("disabled"));
    const { physics } = harness.link.robot;
    physics.push("hand", { body: "head", point: [0, 0, 0.2], force: [0, 0, -5] }, 1);
    await harness.run(1500);
    const before = [...harness.robot.state.headJoints];
    await harness.settle(harness.robot.setMotorMode("enabled"));
    await harness.run(300);
    const { sent, headJoints } = harness.robot.state;
    before.forEach((angle, joint) => {
      expect(Math.abs((sent?.headJoints[joint] ?? 9) - angle)).toBeLessThan(0.01);
      expect(Math.abs((headJoints[joint] ?? 9) - angle)).toBeLessThan(0.05);
    });
    expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled" });
  });

  test("gravity compensation carries the head, and a hand can move it", async () => {
    const harness = await Harness.awakeInPhysics();
    await harness.settle(harness.robot.setMotorMode("gravity_compensation"));
    expect(harness.robot.state.sent).toBeNull();
    await harness.run(2000);
    expect(headError(harness, DEFAULT_POSE.head).mm).toBeLessThan(10);
    harness.link.robot.physics.push("hand", { body: "head", point: [0, 0, 0.2], force: [0, 0, -4] }, 0.4);
    await harness.run(1500);
    expect(headError(harness, DEFAULT_POSE.head).mm).toBeGreaterThan(5);
    await harness.settle(harness.robot.endAppSession());
    await harness.run(200);
    expect(harness.robot.state.motorMode).toBe("enabled");
    await harness.run(STANDING_MS);
    expect(headError(harness, DEFAULT_POSE.head).mm).toBeLessThan(AT_REST.mm);
    const gains = harness.link.robot.servos.servos.map(({ controlTable }) => controlTable.get("positionPGain"));
    expect(gains).toEqual(JOINTS.map((joint) => joint.gains.p));
  });

  test("a head that is released during a drag in gravity compensation stays near the hand, and becomes still", async () => {
    const harness = await Harness.awakeInPhysics();
    await harness.settle(harness.robot.setMotorMode("gravity_compensation"));
    const { physics } = harness.link.robot;
    const { x, y, z } = physics.body("head")!.worldCom();
    for (let step = 1; step <= 10; step++) {
      const towards = [x, y + 0.005 * step, z] as const;
      physics.push("hand", { body: "head", point: [x, y, z], towards }, 0.5);
      await harness.run(20);
    }
    physics.push("hand", null, 0.1);
    const released = headError(harness, DEFAULT_POSE.head).mm;
    await harness.run(1000);
    const whenStill = headError(harness, DEFAULT_POSE.head).mm;
    expect(whenStill - released).toBeLessThan(10);
    await harness.run(1000);
    expect(Math.abs(headError(harness, DEFAULT_POSE.head).mm - whenStill)).toBeLessThan(1);
  });

  test("in gravity compensation, disabling one joint leaves the others compensated, enabling one enables all", async () => {
    const harness = await Harness.awakeInPhysics();
    await harness.settle(harness.robot.setMotorMode("gravity_compensation"));
    await harness.settle(harness.robot.setTorque(false, ["left_antenna"]));
    await harness.run(1000);
    expect(harness.robot.state.motorMode).toBe("gravity_compensation");
    await harness.settle(harness.robot.setTorque(true, ["right_antenna"]));
    await harness.run(1000);
    expect(harness.robot.state.motorMode).toBe("enabled");
    expect(headError(harness, DEFAULT_POSE.head).mm).toBeLessThan(10);
  });

  test.each([
    ["enabled", "gravity_compensation", "torqueEnable", 0],
    ["enabled", "gravity_compensation", "operatingMode", OperatingMode.current],
    ["enabled", "gravity_compensation", "torqueEnable", 1],
    ["enabled", "disabled", "torqueEnable", 0],
    ["disabled", "enabled", "torqueEnable", 1],
    ["gravity_compensation", "enabled", "positionDGain", null],
    ["gravity_compensation", "disabled", "positionDGain", null],
  ] as const)(
    "from %s to %s, while a servo misses %s %s: no torque, no move, and the next change works",
    async (from, to, name, value) => {
      const harness = await Harness.awake();
      const { robot, link } = harness;
      await harness.settle(robot.setMotorMode(from));
      if (from === "enabled")
        robot.goto({ antennas: [0.5, -0.5], duration: 9, method: "linear" }).catch(() => undefined);
      await harness.run(500);
      link.toServos = dropWrites(14, name, value);
      await expect(harness.settle(robot.setMotorMode(to))).rejects.toMatchObject({ code: "robot-not-ready" });
      link.toServos = (bytes) => bytes;
      await harness.run(1000);
      const valuesOf = (name: RegisterName) =>
        link.robot.servos.servos.map(({ controlTable }) => controlTable.get(name));
      expect(valuesOf("torqueEnable")).toEqual(JOINTS.map(() => 0));
      expect(robot.state).toMatchObject({ phase: "running", motorMode: "disabled", move: null });
      await harness.settle(robot.setTorque(true, ["left_antenna"]));
      const wanted = JOINTS.map(({ name }) => (name === "left_antenna" ? 1 : 0));
      expect(valuesOf("torqueEnable")).toEqual(wanted);
      await harness.settle(robot.setMotorMode("enabled"));
      await harness.run(100);
      expect(valuesOf("operatingMode")).toEqual(JOINTS.map(() => OperatingMode.position));
      expect(valuesOf("positionPGain")).toEqual(JOINTS.map(({ gains }) => gains.p));
      expect(robot.state).toMatchObject({ phase: "running", motorMode: "enabled" });
    },
  );

  test("the joints have no torque during a change of the motor mode for a few packets only: the head would fall", async () => {
    const harness = await Harness.awake();
    const { link, robot } = harness;
    const hasTorque = () =>
      link.robot.servos.servos.every(({ controlTable }) => controlTable.get("torqueEnable") === 1);
    let packets = 0;
    link.toServos = (bytes) => {
      if (!hasTorque()) packets += 1;
      return bytes;
    };
    for (const mode of ["gravity_compensation", "enabled"] as const) {
      packets = 0;
      await harness.settle(robot.setMotorMode(mode));
      expect(packets).toBeGreaterThan(0);
      expect(packets).toBeLessThan(JOINTS.length + 5);
    }
  });

  test("in gravity compensation, a joint without torque stays without it when another one is repaired", async () => {
    const harness = await Harness.awake();
    await harness.settle(harness.robot.setMotorMode("gravity_compensation"));
    await harness.settle(harness.robot.setTorque(false, ["left_antenna"]));
    harness.link.robot.servos.servos[7]!.controlTable.set("torqueEnable", 0);
    await harness.run(1500);
    expect(harness.eventsOf("fault").map(({ message }) => message)).toEqual([
      expect.stringContaining("turns it on again"),
      expect.stringContaining("has its torque again"),
    ]);
  });

  test("torque that a failed change has left, because its undoing was lost, is turned off by the next check", async () => {
    const harness = await Harness.asleep();
    const { address, size } = REGISTERS.torqueEnable;
    const ids = JOINTS.map(({ id }) => id);
    const undoing = syncWrite(
      address,
      size,
      ids.map((id) => ({ id, data: [0] })),
    );
    const drop = dropWrites(14, "torqueEnable", 1);
    harness.link.toServos = (bytes) => (`${bytes}` === `${undoing}` ? null : drop(bytes));
    await expect(harness.settle(harness.robot.setMotorMode("enabled"))).rejects.toMatchObject({
      code: "robot-not-ready",
    });
    const torques = () => harness.link.robot.servos.servos.map(({ controlTable }) => controlTable.get("torqueEnable"));
    expect(torques()).toContain(1);
    await harness.run(1000);
    expect(torques()).toEqual(JOINTS.map(() => 0));
    expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "disabled" });
  });

  test("an antenna that was turned by more than a turn by hand is held where it is, and can be woken", async () => {
    const harness = await Harness.asleepInPhysics();
    const antenna = harness.link.robot.physics.body("right_antenna")!;
    const { x, y, z } = antenna.worldCom();
    for (const side of [1, -1]) {
      harness.link.robot.physics.push(
        "hand",
        { body: "right_antenna", point: [x, y, z], force: [0, 0.3 * side, 0] },
        0.2,
      );
      await harness.run(600);
    }
    // Until it hangs still: it would swing on before its torque is on.
    await harness.run(2000);
    const angle = () => harness.link.robot.physics.posture().joints[7] ?? 0;
    const left = angle();
    expect(left).toBeLessThan(-Math.PI);
    await harness.settle(harness.robot.setMotorMode("enabled"));
    await harness.run(300);
    expect(Math.abs(angle() - left)).toBeLessThan(0.05);
    expect(await harness.settle(harness.robot.wakeUp())).toBe("finished");
  });

  test("single joints can be disabled and enabled again", async () => {
    const harness = await Harness.awake();
    await harness.settle(harness.robot.setTorque(false, ["left_antenna"]));
    expect(harness.robot.state.motorMode).toBe("enabled");
    await harness.settle(harness.robot.setTorque(false, null));
    expect(harness.robot.state.motorMode).toBe("disabled");
    await harness.settle(harness.robot.setTorque(true, null));
    await harness.run(40);
    expect(harness.robot.state.motorMode).toBe("enabled");
    await expect(harness.robot.setTorque(true, ["tail"])).rejects.toThrow(/no joint "tail".*left_antenna/);
  });
});
