import type { Clock } from "../../../../common/time/clock.ts";
import { JOINTS, type Joint } from "../../../../robot/description/joints.ts";
import { decodeValue, encodeValue, REGISTERS } from "../../../../robot/servo/registers/control-table.ts";
import { ticksToRadians } from "../../../../robot/servo/registers/units.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { ServoBus } from "../bus/servo-bus.ts";
import { ROBOT_BAUD_RATE } from "../link/serial.ts";
import {
  type DiscoveredServo,
  modelName,
  type OpenAt,
  readSettings,
  type SettingDifference,
  settingDifferences,
  withBus,
} from "./scan.ts";

/** The servo to set up for a joint, and the settings to write. */
interface SetupPlan {
  readonly joint: Joint;
  readonly servo: DiscoveredServo;
  readonly changes: readonly SettingDifference[];
}

/** @throws WorkbenchError `usage` when no joint has this name or id */
export function parseJoint(name: string): Joint {
  const joint = JOINTS.find((one) => one.name === name || String(one.id) === name);
  if (joint !== undefined) return joint;
  const known = JOINTS.map((one) => `${one.name} (${one.id})`).join(", ");
  throw new WorkbenchError("usage", `There is no joint "${name}". The joints are ${known}.`);
}

/**
 * Chooses one of the discovered servos and compares its settings with the joint's.
 *
 * @param id the servo's present id; null when it is the only one on the bus
 * @throws WorkbenchError `robot-not-found` when it does not answer, `usage` when several answer,
 *   `robot-fault` when it has the wrong model or another servo has the joint's id
 */
export function planSetup(found: readonly DiscoveredServo[], joint: Joint, id: number | null): SetupPlan {
  const meant = id === null ? found : found.filter((servo) => servo.id === id);
  const [servo] = meant;
  if (servo === undefined) {
    const which = id === null ? "No servo answers" : `No servo ${id} answers`;
    throw new WorkbenchError("robot-not-found", `${which}. Check its power and cable; robot-daemon scan lists all.`);
  }
  if (meant.length > 1) {
    const ids = meant.map((one) => one.id).join(", ");
    throw new WorkbenchError("usage", `Servos ${ids} answer. Connect only the one to set up, or name it with --id.`);
  }
  if (modelName(servo.model) !== joint.model) {
    const is = modelName(servo.model);
    throw new WorkbenchError("robot-fault", `Servo ${servo.id} is an ${is}; ${joint.name} needs an ${joint.model}.`);
  }
  if (servo.id !== joint.id && found.some((other) => other.id === joint.id)) {
    const detail = `Another servo has the id ${joint.id} of ${joint.name} already. Take that one off the bus first.`;
    throw new WorkbenchError("robot-fault", detail);
  }
  if (servo.settings === undefined) {
    throw new WorkbenchError("robot-not-ready", `Servo ${servo.id} answers pings only. Check its cable and its power.`);
  }
  return { joint, servo, changes: settingDifferences(servo.settings, joint) };
}

/**
 * Writes the settings and reads them back. Resolves with the angle that the joint now measures, radians.
 *
 * @throws WorkbenchError `robot-not-ready` when the servo stops answering, `robot-fault` when it did not keep the settings
 */
export async function applySetup(open: OpenAt, clock: Clock, { joint, servo, changes }: SetupPlan): Promise<number> {
  await withBus(open, clock, servo.baudRate, (bus) => writeChanges(bus, servo.id, joint.id, changes));
  return withBus(open, clock, ROBOT_BAUD_RATE, async (bus) => {
    const wrong = settingDifferences(await readSettings(bus, joint.id), joint);
    if (wrong.length > 0) {
      const names = wrong.map(({ name, actual }) => `${name} ${actual}`).join(", ");
      throw new WorkbenchError("robot-fault", `The servo of ${joint.name} did not keep its settings: it has ${names}.`);
    }
    const { address, size } = REGISTERS.presentPosition;
    return ticksToRadians(decodeValue(REGISTERS.presentPosition, await bus.read(joint.id, address, size)));
  });
}

async function writeChanges(
  bus: ServoBus,
  before: number,
  after: number,
  changes: readonly SettingDifference[],
): Promise<void> {
  let id = before;
  // The EEPROM cannot be written while the servo has torque.
  await bus.write(id, REGISTERS.torqueEnable.address, [0]);
  for (const { name, expected } of changes) {
    const register = REGISTERS[name];
    const written = bus.write(id, register.address, encodeValue(register, expected));
    // A servo may confirm a new id or bit rate with the new one already; reading back shows whether it was written.
    if (name === "id" || name === "baudRate") await written.catch(() => undefined);
    else await written;
    if (name === "id") id = after;
  }
}
