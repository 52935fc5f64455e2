import type { Joint } from "../../description/joints.ts";
import { OperatingMode, type RegisterName } from "./control-table.ts";

/** `baudRate` of 1 Mbit/s, the robot's bus. */
const ONE_MEGABAUD = 3;
/** `shutdown`: overheating, electrical shock and overload turn the torque off; a voltage error does not. */
const SHUTDOWN = 52;

/** The EEPROM registers of a joint's servo that the robot depends on, with their values. */
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

/** Registers that `servoSettings` names, in the order in which a servo is set up: id and baud rate last, since they change how it is reached. */
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
