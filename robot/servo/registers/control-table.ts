import { MAX_ID } from "../protocol/packet.ts";

/** One entry of a servo's control table. `min` and `max` are the limits of a write. */
export interface Register {
  readonly address: number;
  /** Bytes, little endian. */
  readonly size: 1 | 2 | 4;
  readonly signed: boolean;
  readonly access: "r" | "rw";
  /** EEPROM survives power-off and is writable only while torque is off. */
  readonly area: "eeprom" | "ram";
  readonly min: number;
  readonly max: number;
  /** Value after factory reset (EEPROM) or power-on (RAM); `models.ts` has the differences between models. */
  readonly initial: number;
}

type Numbers = [address: number, size: 1 | 2 | 4, min: number, max: number, initial: number];
const define = (access: Register["access"], area: Register["area"], numbers: Numbers): Register => {
  const [address, size, min, max, initial] = numbers;
  return { address, size, signed: min < 0, access, area, min, max, initial };
};
const fixed = (...numbers: Numbers) => define("r", "eeprom", numbers);
const eeprom = (...numbers: Numbers) => define("rw", "eeprom", numbers);
const ram = (...numbers: Numbers) => define("rw", "ram", numbers);
/** Measured by the servo; signed where the quantity has a direction. */
const measured = (address: number, size: 1 | 2 | 4, signed: boolean) =>
  define("r", "ram", [address, size, signed ? -(2 ** (8 * size - 1)) : 0, 2 ** (8 * size - (signed ? 1 : 0)) - 1, 0]);

/** How many bytes a driver can choose to have side by side. */
const INDIRECT_COUNT = 20;
/** Addresses of the chosen bytes' addresses, two bytes each, and of the bytes themselves. */
export const INDIRECT = { addresses: 168, data: 208 } as const;
type IndirectNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20;
/** Lowest address that can be chosen. */
const INDIRECT_MIN = 64;

/** Registers with a number, from 1. */
function numbered<Prefix extends string>(prefix: Prefix, at: (index: number) => Register) {
  const entries = Array.from({ length: INDIRECT_COUNT }, (_, index) => [`${prefix}${index + 1}`, at(index)]);
  return Object.fromEntries(entries) as Record<`${Prefix}${IndirectNumber}`, Register>;
}

/** The PWM registers' value for the full pulse width. */
export const FULL_PWM = 885;
/** Limit of goals over several turns to both sides, ticks: 256 turns. */
const MULTI_TURN_TICKS = 1_048_575;

/**
 * Control table of the XL330 and XC330 (manufacturer's manual). Columns: address, size, minimum, maximum and initial value.
 * Units: `units.ts`.
 */
export const REGISTERS = {
  modelNumber: fixed(0, 2, 0, 65_535, 1200),
  modelInformation: fixed(2, 4, 0, 4_294_967_295, 0),
  firmwareVersion: fixed(6, 1, 0, 255, 52),
  id: eeprom(7, 1, 0, MAX_ID, 1),
  baudRate: eeprom(8, 1, 0, 6, 1),
  returnDelayTime: eeprom(9, 1, 0, 254, 250),
  driveMode: eeprom(10, 1, 0, 13, 0),
  operatingMode: eeprom(11, 1, 0, 16, 3),
  secondaryId: eeprom(12, 1, 0, 255, 255),
  protocolType: eeprom(13, 1, 2, 22, 2),
  homingOffset: eeprom(20, 4, -1_044_479, 1_044_479, 0),
  movingThreshold: eeprom(24, 4, 0, 1023, 10),
  temperatureLimit: eeprom(31, 1, 0, 100, 70),
  maxVoltageLimit: eeprom(32, 2, 31, 70, 70),
  minVoltageLimit: eeprom(34, 2, 31, 70, 35),
  pwmLimit: eeprom(36, 2, 0, FULL_PWM, FULL_PWM),
  currentLimit: eeprom(38, 2, 0, 1750, 1750),
  velocityLimit: eeprom(44, 4, 0, 2047, 445),
  maxPositionLimit: eeprom(48, 4, 0, 4095, 4095),
  minPositionLimit: eeprom(52, 4, 0, 4095, 0),
  startupConfiguration: eeprom(60, 1, 0, 3, 0),
  pwmSlope: eeprom(62, 1, 1, 255, 140),
  shutdown: eeprom(63, 1, 0, 127, 53),

  torqueEnable: ram(64, 1, 0, 1, 0),
  led: ram(65, 1, 0, 1, 0),
  statusReturnLevel: ram(68, 1, 0, 2, 2),
  registeredInstruction: measured(69, 1, false),
  hardwareErrorStatus: measured(70, 1, false),
  velocityIGain: ram(76, 2, 0, 16_383, 1600),
  velocityPGain: ram(78, 2, 0, 16_383, 180),
  positionDGain: ram(80, 2, 0, 16_383, 0),
  positionIGain: ram(82, 2, 0, 16_383, 0),
  positionPGain: ram(84, 2, 0, 16_383, 400),
  feedforward2ndGain: ram(88, 2, 0, 16_383, 0),
  feedforward1stGain: ram(90, 2, 0, 16_383, 0),
  /** -1 means that the watchdog has fired; writing 0 clears that. */
  busWatchdog: ram(98, 1, -1, 127, 0),
  goalPwm: ram(100, 2, -FULL_PWM, FULL_PWM, FULL_PWM),
  goalCurrent: ram(102, 2, -2352, 2352, 1750),
  goalVelocity: ram(104, 4, -2047, 2047, 0),
  profileAcceleration: ram(108, 4, 0, 32_767, 0),
  profileVelocity: ram(112, 4, 0, 32_767, 0),
  goalPosition: ram(116, 4, -MULTI_TURN_TICKS, MULTI_TURN_TICKS, 0),
  realtimeTick: measured(120, 2, false),
  moving: measured(122, 1, false),
  movingStatus: measured(123, 1, false),
  presentPwm: measured(124, 2, true),
  presentCurrent: measured(126, 2, true),
  presentVelocity: measured(128, 4, true),
  presentPosition: measured(132, 4, true),
  velocityTrajectory: measured(136, 4, true),
  positionTrajectory: measured(140, 4, true),
  presentInputVoltage: measured(144, 2, false),
  presentTemperature: measured(146, 1, false),
  backupReady: measured(147, 1, false),
  /** Each holds the address of the byte that `indirectData` of the same number shows; by default its own. */
  ...numbered("indirectAddress", (index) => {
    const data = INDIRECT.data + index;
    return ram(INDIRECT.addresses + 2 * index, 2, INDIRECT_MIN, INDIRECT.data + INDIRECT_COUNT - 1, data);
  }),
  ...numbered("indirectData", (index) => ram(INDIRECT.data + index, 1, 0, 255, 0)),
} as const satisfies Record<string, Register>;

export type RegisterName = keyof typeof REGISTERS;
export const REGISTER_NAMES = Object.keys(REGISTERS) as RegisterName[];

/** One past the last address of the table. */
export const TABLE_SIZE = 228;

/** The range of present current, velocity and position: 10 bytes from 126, in one read. */
export const PRESENT_STATE = { address: REGISTERS.presentCurrent.address, length: 10 } as const;

/** `operatingMode` */
export const OperatingMode = { current: 0, velocity: 1, position: 3, currentBasedPosition: 5 } as const;

/** Bits of `hardwareErrorStatus` and of the mask `shutdown`. */
export const HardwareError = {
  inputVoltage: 0x01,
  overheating: 0x04,
  motorEncoder: 0x08,
  electricalShock: 0x10,
  overload: 0x20,
} as const;
export type HardwareErrorName = keyof typeof HardwareError;

/** Bits of `startupConfiguration`. */
export const Startup = { torqueOn: 0x01, restoreRam: 0x02 } as const;

/** bit/s by the value of `baudRate`. */
export const BAUD_RATES = [9_600, 57_600, 115_200, 1_000_000, 2_000_000, 3_000_000, 4_000_000] as const;

/** Names of the errors in a `hardwareErrorStatus` value. */
export function hardwareErrors(status: number): HardwareErrorName[] {
  const names = Object.keys(HardwareError) as HardwareErrorName[];
  return names.filter((name) => (status & HardwareError[name]) !== 0);
}

/** A register's value as bytes in two's complement; higher bits are dropped. */
export function encodeValue(register: Register, value: number): Uint8Array {
  const bytes = new Uint8Array(register.size);
  for (let i = 0; i < register.size; i++) bytes[i] = value >> (8 * i);
  return bytes;
}

/**
 * A register's value from the bytes of a read.
 *
 * @param at where the register begins in `bytes`
 * @throws RangeError when the bytes end inside the register
 */
export function decodeValue(register: Register, bytes: Uint8Array, at = 0): number {
  if (at < 0 || at + register.size > bytes.length) {
    throw new RangeError(`register ${register.address} at byte ${at} of a reply of ${bytes.length}`);
  }
  let value = 0;
  for (let i = register.size - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? 0);
  const half = 2 ** (8 * register.size - 1);
  return register.signed && value >= half ? value - 2 * half : value;
}
