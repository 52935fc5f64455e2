import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { poseFromRpy } from "../../../robot/kinematics/pose.ts";
import type { Servo } from "../../../sim/servos/servo.ts";
import { TestBench } from "../../../sim/servos/testing/test-bench.ts";
import { Harness } from "./testing/harness.ts";
import { benchLink } from "./testing/simulated-link.ts";

/** Values of the register `shutdown`: the robot's own, that of a new servo (voltage errors too), and none. */
const SHUTDOWN = [52, 53, 0];
/** Each servo has each of these values in one of the three: rows of the table voltages x servos x shutdown registers. */
const ROTATIONS = SHUTDOWN.map((_, first) => JOINTS.map((__, joint) => SHUTDOWN[(joint + first) % 3] ?? 0));
const OWN = JOINTS.map(() => 52);
const START_S = 0.5;
/** Radians of the legs in the default pose. */
const DEFAULT_LEGS = [0, 0.5252, -0.6687, 0.6067, -0.6067, 0.6687, -0.5252, 0, 0];

/** A daemon's robot of nine servos with these shutdown registers, on single joints at a supply. */
function robotAt(volts: number, shutdown: readonly number[]) {
  const clock = new ManualClock();
  const bench = new TestBench(volts);
  bench.bus.servos.forEach(({ controlTable }, joint) => {
    controlTable.set("shutdown", shutdown[joint] ?? 0);
  });
  bench.joints.forEach((single, index) => {
    single.turnTo(DEFAULT_LEGS[index] ?? 0);
  });
  bench.reboot();
  bench.run(START_S);
  return { bench, harness: new Harness(clock, benchLink(clock, bench)) };
}

const registers = (bench: TestBench, name: "torqueEnable" | "shutdown" | "hardwareErrorStatus") =>
  JOINTS.map(({ id }) => bench.read(id, name));

describe.each([6.8, 7.3, 7.8])("at %s V", (volts) => {
  test.each(ROTATIONS)("with the shutdown registers %s, %s, %s ... it runs without a fault", async (...shutdown) => {
    const { bench, harness } = robotAt(volts, shutdown);
    await harness.until(() => harness.robot.state.phase === "running");
    await harness.settle(harness.robot.setMotorMode("enabled"));
    await harness.run(1500);
    expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled", error: null });
    expect(registers(bench, "torqueEnable")).toEqual(Array(9).fill(1));
    expect(registers(bench, "shutdown")).toEqual(OWN);
    const isAboveLimit = volts > 7;
    expect(registers(bench, "hardwareErrorStatus")).toEqual(Array(9).fill(isAboveLimit ? 1 : 0));
    // The servos' own limit is reported once, and each servo that had shut down at the start.
    expect(harness.eventsOf("supply")).toHaveLength(isAboveLimit ? 1 : 0);
    const shutDown = JOINTS.filter((_, joint) => isAboveLimit && shutdown[joint] === 53);
    expect(harness.eventsOf("fault").map(({ level, message }) => [level, message])).toEqual(
      shutDown.map(({ id, name }) => [
        "warning",
        `Servo ${id} (${name}) has shut down: input voltage out of range (0x01), by its shutdown register 53. The daemon has restarted it.`,
      ]),
    );
  });
});

describe.each([3.6, 8.2])("at %s V", (volts) => {
  test.each(ROTATIONS)(
    "with the shutdown registers %s, %s, %s ... it is refused, with the right supply",
    async (...shutdown) => {
      const { bench, harness } = robotAt(volts, shutdown);
      await harness.until(() => harness.robot.state.phase === "error");
      expect(harness.robot.state.error).toMatch(/V; the robot runs with 3\.7 to 7\.8 V\..*\(6\.8 to 7\.6 V\)/);
      expect(registers(bench, "torqueEnable")).toEqual(Array(9).fill(0));
    },
  );
});

test("a voltage outside of the range while it runs is a warning with the voltage, once a minute", async () => {
  const { bench, harness } = robotAt(7.3, OWN);
  await harness.until(() => harness.robot.state.phase === "running");
  await harness.settle(harness.robot.setMotorMode("enabled"));
  bench.bus.supplyVoltage = 8.1;
  await harness.run(5000);
  expect(harness.eventsOf("fault").map(({ level, message }) => [level, message])).toEqual(
    JOINTS.map(({ id, name }) => [
      "warning",
      `Servo ${id} (${name}) reports input voltage out of range: 8.1 V. Check the power supply (6.8 to 7.6 V) and its cable.`,
    ]),
  );
  expect(harness.robot.state).toMatchObject({ phase: "running", error: null });
});

test("a supply that the robot runs with does not make the daemon read more", async () => {
  const exchanges = async (volts: number) => {
    const { harness } = robotAt(volts, OWN);
    await harness.until(() => harness.robot.state.phase === "running");
    await harness.run(1000);
    const written = harness.link.written;
    await harness.run(10_000);
    return harness.link.written - written;
  };
  // One more read a check: that of the voltage.
  expect((await exchanges(7.3)) - (await exchanges(6.8))).toBeLessThanOrEqual(25);
});

describe("the whole robot", () => {
  const tilted = (pitch: number) => poseFromRpy([0, 0, 0], { roll: 0, pitch, yaw: 0 });

  test("wakes up and moves for a minute at 7.3 V without a fault", async () => {
    const harness = await Harness.awake(7.3);
    for (let times = 0; times < 30; times += 1) {
      const head = tilted(times % 2 === 0 ? 0.3 : -0.3);
      expect(await harness.settle(harness.robot.goto({ head, duration: 2, method: "minjerk" }))).toBe("finished");
    }
    expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled", error: null });
    expect(harness.eventsOf("fault")).toEqual([]);
    expect(harness.eventsOf("supply")).toHaveLength(1);
  });

  const cutPower = (servo: Servo) => servo.controlTable.set("torqueEnable", 0);
  const latch = (servo: Servo) => servo.setFaultState({ latch: true });

  test.each([
    [6.8, "a power cut", cutPower],
    [7.3, "a power cut", cutPower],
    [7.8, "a power cut", cutPower],
    [6.8, "a latched voltage error", latch],
    [7.3, "a latched voltage error", latch],
    [7.8, "a latched voltage error", latch],
  ] as const)("at %s V has a torque that %s took again within a second, and says so", async (volts, _, lose) => {
    const harness = await Harness.awake(volts);
    await harness.run(2000);
    const servo = harness.link.robot.servos.servos[3]!;
    lose(servo);
    await harness.run(1000);
    expect(servo.controlTable.get("torqueEnable")).toBe(1);
    expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled", error: null });
    expect(harness.eventsOf("fault").map(({ level, message }) => [level, message])).toEqual([
      ["warning", expect.stringMatching(/^Servo 13 \(stewart_3\) lost its torque/)],
      ["info", "Servo 13 (stewart_3) has its torque again."],
    ]);
  });
});
