import { JOINTS, type Joint } from "../../../robot/description/joints.ts";
import type { ByteLink } from "../../../robot/servo/byte-link.ts";
import { BAUD_RATES, decodeValue, REGISTERS } from "../../../robot/servo/control-table.ts";
import { modelByNumber } from "../../../robot/servo/models.ts";
import { SETTING_NAMES, type SettingName, servoSettings } from "../../../robot/servo/settings.ts";
import type { Clock } from "../../clock.ts";
import { ServoBus } from "../bus.ts";

/** Bit/s at which a servo may be: the robot's, then the factory's, then what people choose. */
export const USUAL_BAUD_RATES = [1_000_000, 57_600, 115_200, 9_600, 2_000_000, 3_000_000, 4_000_000] as const;

/** EEPROM from its first byte to the last setting. */
const SETTINGS_LENGTH = REGISTERS.shutdown.address + 1;
/** A broadcast ping's answers are not asked for again when they are lost. */
const ROUNDS = 2;

/** Opens the bus at a bit rate. */
export type OpenAt = (baudRate: number) => Promise<ByteLink>;

/** A servo that answers. */
export interface FoundServo {
  readonly id: number;
  /** Bit/s. */
  readonly baudRate: number;
  /** Model number. */
  readonly model: number;
  readonly firmware: number;
  /** Undefined for one that answers pings and no question: its cable lets go now and then. */
  readonly settings: Settings | undefined;
}
export type Settings = Readonly<Record<SettingName, number>>;

/** A setting that is not as a joint needs it. */
export interface Difference {
  readonly name: SettingName;
  readonly is: number;
  readonly shall: number;
}

/** Every servo that answers at one of these bit rates, by id. Throws as `open` does. */
export async function scan(open: OpenAt, clock: Clock, baudRates: readonly number[]): Promise<FoundServo[]> {
  const found: FoundServo[] = [];
  for (const baudRate of baudRates) {
    found.push(...(await onBus(open, clock, baudRate, (bus) => lookAround(bus, baudRate))));
  }
  const isToldElsewhere = ({ id }: FoundServo, index: number) =>
    found.some((other, place) => other.id === id && (other.settings !== undefined || place < index));
  return found
    .filter((servo, index) => servo.settings !== undefined || !isToldElsewhere(servo, index))
    .sort((a, b) => a.id - b.id);
}

/** Works on the bus at a bit rate, and closes it. */
export async function onBus<T>(
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

async function lookAround(bus: ServoBus, baudRate: number): Promise<FoundServo[]> {
  const answers = new Map<number, { model: number; firmware: number }>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { id, model, firmware } of await bus.findAll()) answers.set(id, { model, firmware });
  }
  const found: FoundServo[] = [];
  for (const [id, answer] of answers) {
    const settings = await readSettings(bus, id).catch(() => undefined);
    found.push({ id, baudRate, ...answer, settings });
  }
  // A pseudo-terminal carries bytes at any bit rate: the servo's own word counts.
  return found.filter(({ settings }) => settings === undefined || BAUD_RATES[settings.baudRate] === baudRate);
}

export async function readSettings(bus: ServoBus, id: number): Promise<Settings> {
  const bytes = await bus.read(id, 0, SETTINGS_LENGTH);
  const values = SETTING_NAMES.map((name) => [name, decodeValue(REGISTERS[name], bytes, REGISTERS[name].address)]);
  return Object.fromEntries(values);
}

/** The joint whose id a servo has; undefined for one that is not set up. */
export const jointOf = (id: number): Joint | undefined => JOINTS.find((joint) => joint.id === id);

/** Settings that are not as the joint needs them, in the order in which they are to be written. */
export function differences(settings: Settings, joint: Joint): Difference[] {
  const wanted = servoSettings(joint);
  return SETTING_NAMES.flatMap((name) => {
    const [is, shall] = [settings[name], wanted[name]];
    return is === shall ? [] : [{ name, is, shall }];
  });
}

/** The model's name, or its number when this robot has none of it. */
export const modelName = (number: number): string => modelByNumber(number)?.name ?? `model ${number}`;
