import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { advanceUntilSettled, ManualClock } from "../../../../common/time/manual-clock.ts";
import { JOINTS } from "../../../../robot/description/joints.ts";
import { servoSettings } from "../../../../robot/servo/registers/servo-settings.ts";
import { type IdealRobot, SimulatedLink } from "../../control/testing/simulated-link.ts";
import { describeScan } from "./report.ts";
import { type DiscoveredServo, type OpenAt, scan } from "./scan.ts";
import { applySetup, parseJoint, planSetup } from "./setup-servo.ts";

const STEWART_3 = 3;
const FACTORY_BAUD = 57_600;

let clock: ManualClock;
let link: SimulatedLink<IdealRobot>;
let open: OpenAt;

beforeEach(async () => {
  clock = new ManualClock();
  link = SimulatedLink.withIdealJoints(clock);
  open = (baudRate) => {
    link.robot.servos.baudRate = baudRate;
    return link.open();
  };
  await clock.advanceAsync(500);
});

const settle = <T>(promise: Promise<T>): Promise<T> => advanceUntilSettled(clock, promise);
const look = (...baudRates: number[]): Promise<DiscoveredServo[]> => settle(scan(open, clock, baudRates));
const servo = (index: number) => link.robot.servos.servos[index]!;

/** Gives the third leg's servo its factory settings: id 1 at 57,600 bit/s. */
function resetToFactory(): void {
  servo(STEWART_3).controlTable.initialise(servo(STEWART_3).model, "eeprom");
}

/** Disconnects the other servos. */
function disconnectOthers(): void {
  for (const [index, other] of link.robot.servos.servos.entries()) other.faultState.silent = index !== STEWART_3;
}

describe("a scan", () => {
  test("of a complete robot finds nine servos with the right settings", async () => {
    const found = await look(1_000_000);
    expect(found.map(({ id }) => id)).toEqual(JOINTS.map(({ id }) => id));
    const { text, complete } = describeScan(found);
    expect(complete).toBe(true);
    expect(text.split("\n")[4]).toMatch(/^13 +stewart_3 +XL330-M288 +52 +1000000 +correct$/);
  });

  test("finds a servo with factory settings at its own bit rate, and names the missing joint", async () => {
    resetToFactory();
    const { text, complete } = describeScan(await look(1_000_000, FACTORY_BAUD));
    expect(complete).toBe(false);
    expect(text).toMatch(/^1 +- +XL330-M288 +52 +57600 +not set up: robot-daemon setup-servo JOINT$/m);
    expect(text).toMatch(/^Missing: stewart_3 \(13\)$/m);
  });

  test("continues when a servo answers pings only", async () => {
    link.fromServos = (bytes) => (bytes[4] === 13 && bytes.length > 20 ? null : bytes);
    const { text, complete } = describeScan(await look(1_000_000, FACTORY_BAUD));
    expect(complete).toBe(false);
    expect(text.match(/correct/g)).toHaveLength(8);
    expect(text).toMatch(/^13 +stewart_3 .*answers pings only: check its cable/m);
  });

  test("reports wrong settings", async () => {
    servo(STEWART_3).controlTable.set("homingOffset", 0);
    servo(0).controlTable.set("id", 17);
    servo(7).controlTable.set("id", 10);
    const { text, complete } = describeScan(await look(1_000_000));
    expect(complete).toBe(false);
    expect(text).toMatch(/^13 .*homing offset 0 instead of 1024$/m);
    expect(text).toMatch(/^10 .*wrong model, body_yaw needs XC330-M288$/m);
  });

  test("of an empty bus says what to check", async () => {
    link.unplug();
    link.plugged = true;
    for (const one of link.robot.servos.servos) one.faultState.silent = true;
    expect(describeScan(await look(1_000_000))).toMatchObject({
      complete: false,
      text: expect.stringMatching(/^No servo answers\. Check the power supply/),
    });
  });
});

describe("setting a servo up", () => {
  test("with factory settings: all settings are written and read back", async () => {
    resetToFactory();
    disconnectOthers();
    const joint = parseJoint("stewart_3");
    const plan = planSetup(await look(1_000_000, FACTORY_BAUD), joint, null);
    expect(plan.changes.map(({ name }) => name).slice(-2)).toEqual(["id", "baudRate"]);
    const angle = await settle(applySetup(open, clock, plan));
    expect(angle).toBeCloseTo(link.robot.physics.posture().joints[STEWART_3] ?? 9, 2);
    for (const [name, value] of Object.entries(servoSettings(joint))) {
      expect([name, servo(STEWART_3).controlTable.get(name as "id")]).toEqual([name, value]);
    }
    expect(planSetup(await look(1_000_000), joint, null).changes).toEqual([]);
  });

  test("in the robot, with torque, with a wrong offset", async () => {
    servo(STEWART_3).controlTable.set("homingOffset", -1024);
    servo(STEWART_3).controlTable.set("torqueEnable", 1);
    const plan = planSetup(await look(1_000_000), parseJoint("13"), 13);
    expect(plan.changes).toEqual([{ name: "homingOffset", actual: -1024, expected: 1024 }]);
    await settle(applySetup(open, clock, plan));
    expect(servo(STEWART_3).controlTable.get("homingOffset")).toBe(1024);
  });

  test("that does not keep what was written is reported", async () => {
    resetToFactory();
    disconnectOthers();
    const plan = planSetup(await look(FACTORY_BAUD), parseJoint("stewart_3"), null);
    const changes = plan.changes.filter(({ name }) => name !== "homingOffset");
    await expect(settle(applySetup(open, clock, { ...plan, changes }))).rejects.toMatchObject({
      code: "robot-fault",
      message: expect.stringContaining("homingOffset 0"),
    });
  });

  test.each([
    ["stewart_3", null, "usage", /Servos 10, 11.* answer\. Connect only the one to set up, or name it with --id/],
    ["stewart_3", 42, "robot-not-found", /No servo 42 answers/],
    ["stewart_3", 10, "robot-fault", /Servo 10 is an XC330-M288; stewart_3 needs an XL330-M288/],
    ["stewart_3", 12, "robot-fault", /Another servo has the id 13 of stewart_3 already/],
  ])("%s from servo %s is refused with %s", async (name, id, code, message) => {
    const found = await look(1_000_000);
    const refusal = expect.objectContaining({ code, message: expect.stringMatching(message) });
    expect(() => planSetup(found, parseJoint(name), id)).toThrow(refusal);
  });

  test("for an unknown joint is refused with the known ones", () => {
    expect(() => parseJoint("tail")).toThrow(/no joint "tail"\. The joints are body_yaw \(10\), stewart_1 \(11\)/);
  });
});

test("a report has a line for each servo with any settings", () => {
  const setting = fc.integer({ min: -1_000_000, max: 1_000_000 });
  const settings = fc.record({
    returnDelayTime: setting,
    operatingMode: setting,
    homingOffset: setting,
    maxPositionLimit: setting,
    minPositionLimit: setting,
    shutdown: setting,
    id: setting,
    baudRate: setting,
  });
  const found = fc.record({
    id: fc.integer({ min: 0, max: 252 }),
    baudRate: fc.nat(),
    model: fc.nat(2000),
    firmware: fc.nat(255),
    settings,
  });
  fc.assert(
    fc.property(fc.uniqueArray(found, { minLength: 1, selector: ({ id }) => id }), (servos) => {
      const lines = describeScan(servos).text.split("\n");
      for (const { id } of servos) expect(lines.filter((line) => line.startsWith(`${id} `))).toHaveLength(1);
    }),
  );
});
