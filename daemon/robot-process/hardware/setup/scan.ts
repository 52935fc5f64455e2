import type { Clock } from "../../../../common/time/clock.ts";
import { JOINTS, type Joint } from "../../../../robot/description/joints.ts";
import type { ByteLink } from "../../../../robot/servo/byte-link.ts";
import { BAUD_RATES, decodeValue, REGISTERS } from "../../../../robot/servo/registers/control-table.ts";
import { modelByNumber } from "../../../../robot/servo/registers/models.ts";
import { SETTING_NAMES, type SettingName, servoSettings } from "../../../../robot/servo/registers/servo-settings.ts";
import { ServoBus } from "../bus/servo-bus.ts";
import { ROBOT_BAUD_RATE } from "../link/serial.ts";

/** Bit/s that servos may use: the robot's, then the factory's, then other common ones. */
export const COMMON_BAUD_RATES = [ROBOT_BAUD_RATE, 57_600, 115_200, 9_600, 2_000_000, 3_000_000, 4_000_000] as const;

/** EEPROM from its first byte to the last setting. */
const SETTINGS_LENGTH = REGISTERS.shutdown.address + 1;
/** A broadcast ping is sent again, as answers to it can be lost. */
const ROUNDS = 2;

/** Opens the link at a bit rate. */
export type OpenAt = (baudRate: number) => Promise<ByteLink>;

/** A servo that has answered. */
export interface DiscoveredServo {
  readonly id: number;
  /** Bit/s. */
  readonly baudRate: number;
  /** Model number. */
  readonly model: number;
  readonly firmware: number;
  /** Undefined for a servo that answers pings and no reads: its cable has a loose contact. */
  readonly settings: Settings | undefined;
}
type Settings = Readonly<Record<SettingName, number>>;

/** A setting with another value than the joint needs. */
export interface SettingDifference {
  readonly name: SettingName;
  readonly actual: number;
  readonly expected: number;
}

/**
 * Every servo that answers at one of these bit rates, by id.
 *
 * @throws whatever `open` throws
 */
export async function scan(open: OpenAt, clock: Clock, baudRates: readonly number[]): Promise<DiscoveredServo[]> {
  const found: DiscoveredServo[] = [];
  for (const baudRate of baudRates) {
    found.push(...(await withBus(open, clock, baudRate, (bus) => scanAtBaudRate(bus, baudRate))));
  }
  const isListedElsewhere = ({ id }: DiscoveredServo, index: number) =>
    found.some((other, position) => other.id === id && (other.settings !== undefined || position < index));
  return found
    .filter((servo, index) => servo.settings !== undefined || !isListedElsewhere(servo, index))
    .sort((a, b) => a.id - b.id);
}

/** Opens the bus at a bit rate, does some work on it and closes it. */
export async function withBus<T>(
  open: OpenAt,
  clock: Clock,
  baudRate: number,
  work: (bus: ServoBus) => Promise<T>,
): Promise<T> {
  const link = await open(baudRate);
  const bus = new ServoBus(link, clock);
  try {
    return await work(bus);
  } finally {
    bus.detach();
    await link.close();
  }
}

async function scanAtBaudRate(bus: ServoBus, baudRate: number): Promise<DiscoveredServo[]> {
  const answers = new Map<number, { model: number; firmware: number }>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { id, model, firmware } of await bus.findAll()) answers.set(id, { model, firmware });
  }
  const found: DiscoveredServo[] = [];
  for (const [id, answer] of answers) {
    const settings = await readSettings(bus, id).catch(() => undefined);
    found.push({ id, baudRate, ...answer, settings });
  }
  // A pseudo-terminal carries bytes at any bit rate, so the servo's own register decides.
  return found.filter(({ settings }) => settings === undefined || BAUD_RATES[settings.baudRate] === baudRate);
}

export async function readSettings(bus: ServoBus, id: number): Promise<Settings> {
  const bytes = await bus.read(id, 0, SETTINGS_LENGTH);
  const values = SETTING_NAMES.map((name) => [name, decodeValue(REGISTERS[name], bytes, REGISTERS[name].address)]);
  return Object.fromEntries(values);
}

/** The joint whose id a servo has; undefined for one that is not set up. */
export const jointOfServo = (id: number): Joint | undefined => JOINTS.find((joint) => joint.id === id);

/** Settings with other values than the joint needs, in the order in which they have to be written. */
export function settingDifferences(settings: Settings, joint: Joint): SettingDifference[] {
  const wanted = servoSettings(joint);
  return SETTING_NAMES.flatMap((name) => {
    const [actual, expected] = [settings[name], wanted[name]];
    return actual === expected ? [] : [{ name, actual, expected }];
  });
}

/** The model's name, or its number if this robot has no such model. */
export const modelName = (number: number): string => modelByNumber(number)?.name ?? `model ${number}`;
