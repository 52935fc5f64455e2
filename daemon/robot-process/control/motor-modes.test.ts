import { describe, expect, test } from "vitest";
import { JOINTS } from "../../../robot/description/joints.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { write } from "../../../robot/servo/protocol/instructions.ts";
import { OperatingMode, REGISTERS } from "../../../robot/servo/registers/control-table.ts";
import { Harness } from "./testing/harness.ts";
import { AT_REST, headError, STANDING_MS } from "./testing/head-error.ts";

describe("motor modes", () => {
  test("motors off, moved by hand and motors on: the robot stays where the hand left it", async () => {
    const harness = await Harness.awake();
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
    const harness = await Harness.awake();
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
    const harness = await Harness.awake();
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
    const harness = await Harness.awake();
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
    ["gravity_compensation", "operatingMode"],
    ["gravity_compensation", "torqueEnable"],
    ["enabled", "torqueEnable"],
  ] as const)(
    "to %s, while a servo misses a write of %s: no torque, no move, and the next change works",
    async (mode, name) => {
      const harness = await Harness.awake();
      if (mode === "enabled") await harness.settle(harness.robot.setMotorMode("disabled"));
      else harness.robot.goto({ antennas: [0.5, -0.5], duration: 5, method: "linear" }).catch(() => undefined);
      await harness.run(500);
      const value = name === "torqueEnable" ? 1 : OperatingMode.current;
      const lost = `${write(14, REGISTERS[name].address, [value])}`;
      harness.link.toServos = (bytes) => (`${bytes}` === lost ? null : bytes);
      await expect(harness.settle(harness.robot.setMotorMode(mode))).rejects.toMatchObject({ code: "robot-not-ready" });
      const { servos } = harness.link.robot.servos;
      expect(servos.map(({ controlTable }) => controlTable.get("torqueEnable"))).toEqual(JOINTS.map(() => 0));
      expect(harness.robot.state).toMatchObject({ motorMode: "disabled", move: null });
      harness.link.toServos = (bytes) => bytes;
      await harness.settle(harness.robot.setMotorMode("enabled"));
      await harness.run(100);
      expect(servos.map(({ controlTable }) => controlTable.get("operatingMode"))).toEqual(
        JOINTS.map(() => OperatingMode.position),
      );
      expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled" });
    },
  );

  test("an antenna that was turned by more than a turn by hand is held where it is, and can be woken", async () => {
    const harness = await Harness.asleep();
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
