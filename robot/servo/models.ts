import { REGISTERS, type Register, type RegisterName } from "./control-table.ts";

/** A servo model: what its control table starts with, and its motor's figures at 5 V (the maker's manual). */
export interface ServoModel {
  readonly name: string;
  /** What a ping answers. */
  readonly number: number;
  /** N m */
  readonly stallTorque: number;
  /** A */
  readonly stallCurrent: number;
  /** rad/s */
  readonly noLoadSpeed: number;
  /** Initial values that differ from `REGISTERS`. */
  readonly initial: Readonly<Partial<Record<RegisterName, number>>>;
}

const rpm = (value: number) => (value * 2 * Math.PI) / 60;

/** The three models of this robot: head, antennas, body. */
export const MODELS = {
  "XL330-M288": {
    name: "XL330-M288",
    number: 1200,
    stallTorque: 0.52,
    stallCurrent: 1.47,
    noLoadSpeed: rpm(103),
    initial: { modelNumber: 1200 },
  },
  "XL330-M077": {
    name: "XL330-M077",
    number: 1190,
    stallTorque: 0.215,
    stallCurrent: 1.47,
    noLoadSpeed: rpm(383),
    initial: { modelNumber: 1190, velocityLimit: 1620, velocityIGain: 400, velocityPGain: 40, positionIGain: 400 },
  },
  "XC330-M288": {
    name: "XC330-M288",
    number: 1240,
    stallTorque: 0.93,
    stallCurrent: 1.8,
    noLoadSpeed: rpm(81),
    initial: {
      modelNumber: 1240,
      currentLimit: 2352,
      goalCurrent: 2352,
      velocityLimit: 350,
      velocityPGain: 50,
      positionDGain: 500,
      positionPGain: 1100,
      shutdown: 52,
    },
  },
} as const satisfies Record<string, ServoModel>;
export type ModelName = keyof typeof MODELS;

/** The model that answers a ping with this number; undefined for one that does not belong into this robot. */
export function modelByNumber(number: number): ServoModel | undefined {
  return Object.values(MODELS).find((model) => model.number === number);
}

/** A register as this model has it: the initial value, and a current limit that reaches up to it. */
export function registerOf(model: ServoModel, name: RegisterName): Register {
  const register: Register = REGISTERS[name];
  const initial = model.initial[name] ?? register.initial;
  return { ...register, initial, max: name === "currentLimit" ? initial : register.max };
}
