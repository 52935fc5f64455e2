import { expect, test } from "vitest";
import { JOINTS } from "../../../robot/description/joints.ts";
import { Instruction } from "../../../robot/servo/protocol/packet.ts";
import { REGISTERS } from "../../../robot/servo/registers/control-table.ts";
import { dropWrites } from "./testing/drop-writes.ts";
import { Harness } from "./testing/harness.ts";

const NAMES = JOINTS.map(({ name }) => name);

/** The joints whose servos have torque. */
const held = ({ link }: Harness) =>
  NAMES.filter((_, joint) => link.robot.servos.servos[joint]?.controlTable.get("torqueEnable") === 1);

/** Loses the link. @param hasPower whether the servos keep their torque meanwhile */
async function lose(harness: Harness, hasPower = false) {
  harness.link.unplug();
  await harness.until(() => harness.robot.state.phase === "error");
  if (hasPower) return;
  for (const { controlTable } of harness.link.robot.servos.servos) controlTable.set("torqueEnable", 0);
}

/** Connects the robot again, and gives the daemon time to restore its torque. */
async function reconnect(harness: Harness) {
  harness.link.plugged = true;
  await harness.until(() => harness.robot.state.phase === "running");
  await harness.run(500);
}

test("torque that could not be taken before the link was lost is taken when it is back", async () => {
  const harness = await Harness.asleep();
  const { robot, link } = harness;
  // The servos have their torque when the daemon reads whether they do.
  link.toServos = (bytes) => {
    if (bytes[7] === Instruction.syncRead && bytes[8] === REGISTERS.torqueEnable.address) link.unplug();
    return link.plugged ? bytes : null;
  };
  await expect(harness.settle(robot.setMotorMode("enabled"))).rejects.toMatchObject({ code: "robot-not-ready" });
  expect(held(harness)).not.toEqual([]);
  link.toServos = (bytes) => bytes;
  await reconnect(harness);
  expect(held(harness)).toEqual([]);
  expect(robot.state.motorMode).toBe("disabled");
});

/** An awake robot that was reconnected after its servos have lost their torque, and one of them does not turn its motor on. */
async function reconnectedWithSilentServo() {
  const harness = await Harness.awake();
  const { robot, link } = harness;
  await lose(harness);
  link.toServos = dropWrites(14, "torqueEnable", 1);
  link.plugged = true;
  await harness.until(() => harness.eventsOf("fault").length > 0);
  expect(robot.state).toMatchObject({ phase: "running", motorMode: "disabled" });
  expect(harness.eventsOf("fault")[0]?.message).toMatch(/is not enabled again: Servo 14 .* The daemon tries again\./);
  return harness;
}

test("torque that was lost with the link comes back as soon as the servos answer", async () => {
  const harness = await reconnectedWithSilentServo();
  await harness.run(3000);
  expect(harness.robot.state.motorMode).toBe("disabled");
  harness.link.toServos = (bytes) => bytes;
  await harness.run(2000);
  expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled" });
  expect(harness.eventsOf("fault")).toHaveLength(1);
});

test.each([
  ["turned the motors off", (robot: Harness["robot"]) => robot.setMotorMode("disabled")],
  ["sent the robot to sleep", (robot: Harness["robot"]) => robot.goToSleep()],
])("torque that was lost with the link does not come back after somebody has %s", async (_, change) => {
  const harness = await reconnectedWithSilentServo();
  harness.link.toServos = (bytes) => bytes;
  await harness.settle<unknown>(change(harness.robot));
  await harness.run(5000);
  expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "disabled" });
});

/** Loses the link once more, and connects the robot with servos that all answer. */
async function reconnectAgain(harness: Harness) {
  await lose(harness, true);
  harness.link.toServos = (bytes) => bytes;
  await reconnect(harness);
}

test.each([
  ["between two attempts", 0],
  ["after the second attempt has failed", 2000],
])("torque that was lost with the link comes back also when the link is lost again %s", async (_, ms) => {
  const harness = await reconnectedWithSilentServo();
  await harness.run(ms);
  await reconnectAgain(harness);
  await harness.run(2000);
  expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled" });
});

test("torque that was lost with the link comes back also when the second attempt loses the link again", async () => {
  const harness = await reconnectedWithSilentServo();
  const { robot, link } = harness;
  link.toServos = (bytes) => {
    if (bytes[7] === Instruction.syncWrite) link.unplug();
    return link.plugged ? bytes : null;
  };
  await harness.until(() => robot.state.phase === "error");
  await reconnectAgain(harness);
  await harness.run(2000);
  expect(robot.state).toMatchObject({ phase: "running", motorMode: "enabled" });
});

test("torque that somebody has turned off since then stays off when the link is lost again", async () => {
  const harness = await reconnectedWithSilentServo();
  await harness.settle(harness.robot.setMotorMode("disabled"));
  await reconnectAgain(harness);
  await harness.run(5000);
  expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "disabled" });
});

test("torque that does not come back for a minute is a fault", async () => {
  const harness = await reconnectedWithSilentServo();
  await harness.run(120_000);
  expect(harness.eventsOf("fault").map(({ level, message }) => [level, message])).toEqual([
    ["warning", expect.stringContaining("The daemon tries again.")],
    ["error", expect.stringContaining("Set it again when the cause is fixed.")],
  ]);
});

test("gravity compensation that was lost with the link comes back", async () => {
  const harness = await Harness.awake();
  await harness.settle(harness.robot.setMotorMode("gravity_compensation"));
  await lose(harness);
  await reconnect(harness);
  expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "gravity_compensation" });
  expect(held(harness)).toEqual(NAMES);
});

test.each([
  ["without torque stay without it", true, NAMES.filter((name) => name !== "left_antenna")],
  ["with torque are the only ones that get it", false, ["left_antenna"]],
])("single joints %s when the link was lost", async (_, isAwake, expected) => {
  const harness = await (isAwake ? Harness.awake() : Harness.asleep());
  await harness.settle(harness.robot.setTorque(!isAwake, ["left_antenna"]));
  await lose(harness);
  await reconnect(harness);
  expect(held(harness)).toEqual(expected);
});

test("a servo that has shut down gets no torque because the link was lost; motors on restarts it", async () => {
  const harness = await Harness.awake();
  const servo = harness.link.robot.servos.servos[1]!;
  servo.faultState.extraHeat = 100;
  await harness.until(() => harness.robot.state.phase === "error");
  servo.faultState.extraHeat = 0;
  harness.link.unplug();
  await harness.until(() => harness.robot.state.error?.includes("stewart_1") === false);
  await reconnect(harness);
  expect(held(harness)).toEqual(NAMES.filter((name) => name !== "stewart_1"));
  await harness.settle(harness.robot.setMotorMode("enabled"));
  expect(held(harness)).toEqual(NAMES);
});

test("sleep and motors off of a robot that is off are reported: who tries to wake it up stops then", async () => {
  const harness = await Harness.asleep();
  harness.events.length = 0;
  await harness.settle<unknown>(harness.robot.goToSleep());
  await harness.settle(harness.robot.setTorque(false, null));
  expect(harness.events.map(({ kind, data }) => [kind, data])).toEqual(
    Array(2).fill(["motor_mode", expect.objectContaining({ mode: "disabled" })]),
  );
});

test("a servo that has shut down while the link was lost gets no torque", async () => {
  const harness = await Harness.awake();
  await lose(harness, true);
  const { clock, link } = harness;
  const { faultState } = link.robot.servos.servos[1]!;
  faultState.extraHeat = 100;
  await harness.run(200);
  link.robot.advanceTo(clock.now() / 1000);
  faultState.extraHeat = 0;
  await reconnect(harness);
  expect(harness.eventsOf("fault").map(({ message }) => message)).toEqual([expect.stringContaining("overheat")]);
  expect(held(harness)).toEqual(NAMES.filter((name) => name !== "stewart_1"));
});

test("in gravity compensation, a joint without torque gets none for a moment when the link was lost", async () => {
  const harness = await Harness.awake();
  const { robot, link } = harness;
  await harness.settle(robot.setMotorMode("gravity_compensation"));
  await harness.settle(robot.setTorque(false, ["left_antenna"]));
  await lose(harness);
  let wasOn = false;
  link.fromServos = (bytes) => {
    wasOn ||= held(harness).includes("left_antenna");
    return bytes;
  };
  await reconnect(harness);
  expect([robot.state.motorMode, wasOn]).toEqual(["gravity_compensation", false]);
  expect(held(harness)).toEqual(NAMES.filter((name) => name !== "left_antenna"));
});

test("motors that somebody turns off while the link is lost stay off", async () => {
  const harness = await Harness.awake();
  await lose(harness, true);
  await expect(harness.settle(harness.robot.setMotorMode("disabled"))).rejects.toMatchObject({
    code: "robot-not-ready",
  });
  await reconnect(harness);
  expect(held(harness)).toEqual([]);
});

test("torque that was lost with the link comes back also after somebody could not turn the motors on", async () => {
  const harness = await reconnectedWithSilentServo();
  await expect(harness.settle(harness.robot.wakeUp())).rejects.toMatchObject({ code: "robot-not-ready" });
  harness.link.toServos = (bytes) => bytes;
  await harness.run(2000);
  expect(harness.robot.state).toMatchObject({ phase: "running", motorMode: "enabled" });
});

test("motors that are turned off in the moment of an attempt stay off", async () => {
  const harness = await reconnectedWithSilentServo();
  harness.link.toServos = (bytes) => bytes;
  // The next attempt, a second after the first one, waits for the same tick as this call.
  const [{ at = 0 } = {}] = harness.eventsOf("fault");
  await harness.run(at + 999 - harness.clock.now());
  await harness.settle(harness.robot.setMotorMode("disabled"));
  await harness.run(3000);
  expect(held(harness)).toEqual([]);
});

test("servos that a link was lost of while they were being restarted have their torque again", async () => {
  const harness = await Harness.awake();
  for (const servo of harness.link.robot.servos.servos) servo.setFaultState({ latch: true });
  // All of them are restarted one after another, and none has torque meanwhile.
  await harness.until(() => harness.eventsOf("fault").length > 0);
  await harness.run(30);
  for (const servo of harness.link.robot.servos.servos) servo.setFaultState({ latch: false });
  await lose(harness);
  await reconnect(harness);
  expect(held(harness)).toEqual(NAMES);
});
