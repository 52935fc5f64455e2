import { JOINTS, type Joint } from "../../../robot/description/joints.ts";
import { decodeValue, encodeValue, REGISTERS } from "../../../robot/servo/control-table.ts";
import { ticksToRadians } from "../../../robot/servo/units.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Clock } from "../../clock.ts";
import type { ServoBus } from "../bus.ts";
import { type Difference, differences, type FoundServo, modelName, type OpenAt, onBus, readSettings } from "./scan.ts";

/** Bit/s of the assembled robot. */
const ROBOT_BAUD_RATE = 1_000_000;

/** A servo that is to become a joint's, and what has to be written for it. */
export interface SetupPlan {
  readonly joint: Joint;
  readonly servo: FoundServo;
  readonly changes: readonly Difference[];
}

/** @throws WorkbenchError `usage` when no joint has this name or id, naming those that there are */
export function jointNamed(name: string): Joint {
  const joint = JOINTS.find((one) => one.name === name || String(one.id) === name);
  if (joint !== undefined) return joint;
  const known = JOINTS.map((one) => `${one.name} (${one.id})`).join(", ");
  throw new WorkbenchError("usage", `There is no joint "${name}". The joints are ${known}.`);
}

/**
 * Chooses the servo among those found and says what is to be written.
 *
 * @param id of the servo as it is; null when it is the only one on the bus
 * @throws WorkbenchError `robot-not-found` when it is not there, `usage` when it is not clear which one is meant,
 *   `robot-fault` when it is of the wrong model or another servo has the joint's id
 */
export function planSetup(found: readonly FoundServo[], joint: Joint, id: number | null): SetupPlan {
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
  return { joint, servo, changes: differences(servo.settings, joint) };
}

/**
 * Writes a plan and reads all of it back. Resolves with the joint's angle as it measures it now, radians.
 *
 * @throws WorkbenchError `robot-not-ready` when the servo falls silent, `robot-fault` when it holds something else
 *   afterwards
 */
export async function applySetup(open: OpenAt, clock: Clock, { joint, servo, changes }: SetupPlan): Promise<number> {
  await onBus(open, clock, servo.baudRate, (bus) => writeChanges(bus, servo.id, joint.id, changes));
  return onBus(open, clock, ROBOT_BAUD_RATE, async (bus) => {
    const wrong = differences(await readSettings(bus, joint.id), joint);
    if (wrong.length > 0) {
      const names = wrong.map(({ name, is }) => `${name} ${is}`).join(", ");
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
  changes: readonly Difference[],
): Promise<void> {
  let id = before;
  // EEPROM takes nothing while there is torque.
  await bus.write(id, REGISTERS.torqueEnable.address, [0]);
  for (const { name, shall } of changes) {
    const register = REGISTERS[name];
    const written = bus.write(id, register.address, encodeValue(register, shall));
    // Whoever changes its id or bit rate may answer by the new one already; reading back shows whether it heard.
    if (name === "id" || name === "baudRate") await written.catch(() => undefined);
    else await written;
    if (name === "id") id = after;
  }
}
