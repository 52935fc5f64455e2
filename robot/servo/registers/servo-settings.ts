import { JOINTS, type Joint } from "../../description/joints.ts";
import { OperatingMode, type RegisterName } from "./control-table.ts";

/** `baudRate` of 1 Mbit/s, the robot's bus. */
const ONE_MEGABAUD = 3;
/** `shutdown`: overheating, electrical shock and overload turn the torque off; a voltage error does not. */
const SHUTDOWN = 52;

/**
 * The EEPROM registers of a joint's servo that the robot depends on, with their values, in the order in which they are written:
 * id and baud rate are last, because they change how the servo is reached.
 */
export const servoSettings = ({ id, rawRange, homingOffset }: Joint) =>
  ({
    returnDelayTime: 0,
    operatingMode: OperatingMode.position,
    homingOffset,
    maxPositionLimit: rawRange[1],
    minPositionLimit: rawRange[0],
    shutdown: SHUTDOWN,
    id,
    baudRate: ONE_MEGABAUD,
  }) as const satisfies Partial<Record<RegisterName, number>>;

export type SettingName = keyof ReturnType<typeof servoSettings>;
export const SETTING_NAMES = Object.keys(servoSettings(JOINTS[0])) as readonly SettingName[];

/** Names of the settings for people. */
export const SETTING_TITLES: Readonly<Record<SettingName, string>> = {
  id: "id",
  baudRate: "bit/s",
  returnDelayTime: "return delay",
  operatingMode: "operating mode",
  homingOffset: "homing offset",
  maxPositionLimit: "upper position limit",
  minPositionLimit: "lower position limit",
  shutdown: "shutdown mask",
};
