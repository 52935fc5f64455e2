import type { Joint } from "../description/joints.ts";
import { OperatingMode, type RegisterName } from "./control-table.ts";

/** `baudRate` of 1 Mbit/s, the robot's bus. */
const ONE_MEGABAUD = 3;
/** `shutdown`: overheating, electrical shock and overload turn the torque off; the voltage does not. */
const SHUTDOWN = 52;

/** What EEPROM of a joint's servo holds in the assembled robot, where it differs from the factory's or must not. */
export const servoSettings = ({ id, rawRange, homingOffset }: Joint) =>
  ({
    id,
    baudRate: ONE_MEGABAUD,
    returnDelayTime: 0,
    operatingMode: OperatingMode.position,
    homingOffset,
    maxPositionLimit: rawRange[1],
    minPositionLimit: rawRange[0],
    shutdown: SHUTDOWN,
  }) as const satisfies Partial<Record<RegisterName, number>>;

/** Registers that `servoSettings` names, in the order in which a servo is set up: the address of the rest changes last. */
export const SETTING_NAMES = [
  "returnDelayTime",
  "operatingMode",
  "homingOffset",
  "maxPositionLimit",
  "minPositionLimit",
  "shutdown",
  "id",
  "baudRate",
] as const satisfies readonly (keyof ReturnType<typeof servoSettings>)[];
export type SettingName = (typeof SETTING_NAMES)[number];
