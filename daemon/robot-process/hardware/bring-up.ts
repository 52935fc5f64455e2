import { type Clock, sleep } from "../../../common/time/clock.ts";
import { JOINTS, type Joint, SERVO_MODELS } from "../../../robot/description/joints.ts";
import { ACCEPTED_SUPPLY, isAcceptedSupply, SUPPLY_TEXT } from "../../../robot/description/supply.ts";
import {
  decodeValue,
  encodeValue,
  HardwareError,
  REGISTERS,
  type Register,
} from "../../../robot/servo/registers/control-table.ts";
import { SETTING_TITLES, servoSettings } from "../../../robot/servo/registers/servo-settings.ts";
import { unitsToVolts } from "../../../robot/servo/registers/units.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { ServoBus } from "./bus/servo-bus.ts";
import { hardwareFault, servoName, torqueLoss } from "./servo-messages.ts";
import { ALL_JOINTS, Servos } from "./servos.ts";

/** Everything from the model number to the hardware error status in one read. */
const SETTINGS_LENGTH = REGISTERS.hardwareErrorStatus.address + 1;
/** Milliseconds in which a servo answers after it got power or was rebooted; one that does not has no power. */
const BOOT_MS = 3000;
const BOOT_POLL_MS = 20;

/** Settings that the daemon writes itself, since another driver may have left other values. */
const DRIVER_SETTINGS = ["returnDelayTime", "operatingMode", "shutdown"] as const;
/** Settings that depend on how a servo is mounted; with wrong ones the joint would go somewhere else. */
const CALIBRATION = ["homingOffset", "minPositionLimit", "maxPositionLimit"] as const;

export interface DiscoveredRobot {
  servos: Servos;
  /** Joint indices whose torque was on already. */
  jointsWithTorque: number[];
  /** By joint index. */
  firmware: number[];
  /** V at the servos, the highest. */
  supply: number;
  /** Hardware errors that a restart cleared, as sentences. */
  clearedErrors: string[];
  /** Joint indices whose servo had shut down for more than its voltage; it was restarted. */
  jointsShutDown: number[];
}

/**
 * Makes nine servos on a bus ready to move: all answer, have the right model and are set up for their joint; those that
 * have shut down are restarted; gains are written. Torque stays as it is.
 *
 * @throws WorkbenchError `robot-not-found` when servos are missing, `robot-fault` when one has another model or other settings,
 *   `robot-not-ready` when the supply has a wrong voltage
 */
export async function bringUp(bus: ServoBus, clock: Clock, linkName: string): Promise<DiscoveredRobot> {
  await waitForServo(bus, clock, JOINTS[0].id);
  const firmware = await pingAll(bus, linkName);
  const servos = new Servos(bus);
  const jointsWithTorque: number[] = [];
  const clearedErrors: string[] = [];
  const jointsShutDown: number[] = [];
  let supply = 0;
  for (const [index, joint] of JOINTS.entries()) {
    let settings = await bus.read(joint.id, 0, SETTINGS_LENGTH);
    // First of all: what is wrong with a servo may be its power.
    supply = Math.max(supply, await checkVoltage(bus, joint));
    const status = valueIn(settings, REGISTERS.hardwareErrorStatus);
    const shutdown = valueIn(settings, REGISTERS.shutdown);
    if (needsRestart(status, shutdown)) {
      settings = await restart(bus, clock, joint);
      const why = isVoltageOnly(status)
        ? `${torqueLoss(joint.id, status, shutdown)}.`
        : hardwareFault(joint.id, status);
      if (!isVoltageOnly(status)) jointsShutDown.push(index);
      clearedErrors.push(`${why} The daemon has restarted it.`);
    }
    checkCalibration(joint, settings);
    await applyDriverSettings(bus, joint, settings);
    const torque = await bus.read(joint.id, REGISTERS.torqueEnable.address, 1);
    if (torque[0] === 1) jointsWithTorque.push(index);
  }
  await servos.readPresentWithRetries(ALL_JOINTS);
  return { servos, jointsWithTorque, firmware, supply, clearedErrors, jointsShutDown };
}

/** Waits until a servo answers, at most `timeoutMs` milliseconds (3 s by default) and while the link is open. */
export async function waitForServo(bus: ServoBus, clock: Clock, id: number, timeoutMs = BOOT_MS): Promise<void> {
  const deadline = clock.now() + timeoutMs;
  while (clock.now() < deadline && !bus.closed) {
    const answer = await bus.ping(id).catch(() => undefined);
    if (answer !== undefined) return;
    await sleep(clock, BOOT_POLL_MS);
  }
}

async function pingAll(bus: ServoBus, linkName: string): Promise<number[]> {
  const missing: string[] = [];
  const firmware: number[] = [];
  for (const { id, model } of JOINTS) {
    const answer = await bus.ping(id).catch(() => undefined);
    if (answer === undefined) missing.push(servoName(id));
    else if (answer.model !== SERVO_MODELS[model]) throw wrongModel(id, model, answer.model);
    firmware.push(answer?.firmware ?? 0);
  }
  if (missing.length === JOINTS.length) {
    throw new WorkbenchError("robot-not-found", `No servo answers on ${linkName}. Check that the robot has power.`);
  }
  if (missing.length === 0) return firmware;
  const names = missing.join(", ");
  throw new WorkbenchError(
    "robot-not-found",
    `${missing.length} of ${JOINTS.length} servos do not answer on ${linkName}: ${names}. Check their cables and ids.`,
  );
}

function wrongModel(id: number, model: keyof typeof SERVO_MODELS, found: number): WorkbenchError {
  const expected = `${model} (model number ${SERVO_MODELS[model]})`;
  return new WorkbenchError(
    "robot-fault",
    `${servoName(id)} has model number ${found}; this joint needs an ${expected}.`,
  );
}

const valueIn = (settings: Uint8Array, register: Register): number => decodeValue(register, settings, register.address);
const isVoltageOnly = (status: number): boolean => (status & ~HardwareError.inputVoltage) === 0;

/**
 * Whether a restart helps: the servo has shut down, or reports more than a voltage out of its own limits, which it reports
 * again after a restart as long as the robot's supply is above them.
 */
const needsRestart = (status: number, shutdown: number): boolean => (status & shutdown) !== 0 || !isVoltageOnly(status);

/** Restarts a servo, so that a voltage error does not shut it down again, and reads its settings. */
async function restart(bus: ServoBus, clock: Clock, joint: Joint): Promise<Uint8Array> {
  await writeShutdown(bus, joint);
  await bus.reboot(joint.id);
  await waitForServo(bus, clock, joint.id);
  const settings = await bus.read(joint.id, 0, SETTINGS_LENGTH);
  const left = valueIn(settings, REGISTERS.hardwareErrorStatus);
  if (isVoltageOnly(left)) return settings;
  throw new WorkbenchError("robot-fault", `A restart did not help. ${hardwareFault(joint.id, left)}`);
}

/** Writes which hardware errors turn torque off. It is in EEPROM, which is writable while the servo has no torque. */
export async function writeShutdown(bus: ServoBus, joint: Joint): Promise<void> {
  await bus.write(joint.id, REGISTERS.torqueEnable.address, [0]);
  await bus.write(joint.id, REGISTERS.shutdown.address, [servoSettings(joint).shutdown]);
}

/**
 * Refuses wrong offsets and limits: they depend on how the servo is mounted, and would move the joint elsewhere.
 * @throws WorkbenchError `robot-fault`
 */
function checkCalibration(joint: Joint, settings: Uint8Array): void {
  const wanted = servoSettings(joint);
  for (const name of CALIBRATION) {
    const [found, value] = [valueIn(settings, REGISTERS[name]), wanted[name]];
    if (found === value) continue;
    throw new WorkbenchError(
      "robot-fault",
      `${servoName(joint.id)} has ${SETTING_TITLES[name]} ${found}, expected ${value}. Set it up again: robot-daemon setup-servo ${joint.name} --id ${joint.id}.`,
    );
  }
}

async function applyDriverSettings(bus: ServoBus, joint: Joint, settings: Uint8Array): Promise<void> {
  const wanted = servoSettings(joint);
  const wrong = DRIVER_SETTINGS.filter((name) => valueIn(settings, REGISTERS[name]) !== wanted[name]);
  if (wrong.length > 0) await bus.write(joint.id, REGISTERS.torqueEnable.address, [0]);
  for (const name of wrong)
    await bus.write(joint.id, REGISTERS[name].address, encodeValue(REGISTERS[name], wanted[name]));
  await bus.write(joint.id, GAINS_ADDRESS, encodeGains(joint));
  await bus.write(joint.id, PROFILES_ADDRESS, UNLIMITED_PROFILES);
}

/** Where gains and profiles begin. They are in RAM: a servo loses them with its power, and when its mode changes. */
export const GAINS_ADDRESS = REGISTERS.positionDGain.address;
export const PROFILES_ADDRESS = REGISTERS.profileAcceleration.address;
/** Profiles without a limit. */
export const UNLIMITED_PROFILES = new Uint8Array(REGISTERS.profileAcceleration.size + REGISTERS.profileVelocity.size);

/** The gains of a joint, as they follow each other in the control table. */
export function encodeGains({ gains: { p, i, d } }: Joint): Uint8Array {
  return Uint8Array.from([
    ...encodeValue(REGISTERS.positionDGain, d),
    ...encodeValue(REGISTERS.positionIGain, i),
    ...encodeValue(REGISTERS.positionPGain, p),
  ]);
}

/** @returns V at the servo */
async function checkVoltage(bus: ServoBus, joint: Joint): Promise<number> {
  const register = REGISTERS.presentInputVoltage;
  const volts = unitsToVolts(decodeValue(register, await bus.read(joint.id, register.address, register.size)));
  if (isAcceptedSupply(volts)) return volts;
  const { from, to } = ACCEPTED_SUPPLY;
  const next = volts < from ? "Connect" : "Use";
  throw new WorkbenchError(
    "robot-not-ready",
    `${servoName(joint.id)} has ${volts.toFixed(1)} V; the robot runs with ${from} to ${to} V. ${next} its power supply (${SUPPLY_TEXT}).`,
  );
}
