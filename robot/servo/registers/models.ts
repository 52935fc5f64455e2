import { type Joint, type ServoModel as ModelName, SERVO_MODELS } from "../../description/joints.ts";
import { FULL_PWM, REGISTERS, type Register, type RegisterName } from "./control-table.ts";
import { P_GAIN_DIVISOR, TICKS_PER_TURN } from "./units.ts";

/** The voltage of the motor figures below. */
export const RATED_VOLTAGE = 6;

/** A servo model: initial values of its control table, and its motor's figures at 6 V (manufacturer's manual). */
export interface ServoModel {
  readonly name: ModelName;
  /** Model number in the answer to a ping. */
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
export const MODELS: Readonly<Record<ModelName, ServoModel>> = {
  "XL330-M288": {
    name: "XL330-M288",
    number: SERVO_MODELS["XL330-M288"],
    stallTorque: 0.6,
    stallCurrent: 1.74,
    noLoadSpeed: rpm(123),
    initial: {},
  },
  "XL330-M077": {
    name: "XL330-M077",
    number: SERVO_MODELS["XL330-M077"],
    stallTorque: 0.228,
    stallCurrent: 1.74,
    noLoadSpeed: rpm(456),
    initial: { velocityLimit: 1620, velocityIGain: 400, velocityPGain: 40, positionIGain: 400 },
  },
  "XC330-M288": {
    name: "XC330-M288",
    number: SERVO_MODELS["XC330-M288"],
    stallTorque: 1.1,
    stallCurrent: 2.15,
    noLoadSpeed: rpm(97),
    initial: {
      currentLimit: 2352,
      goalCurrent: 2352,
      velocityLimit: 350,
      velocityPGain: 50,
      positionDGain: 500,
      positionPGain: 1100,
      shutdown: 52,
    },
  },
};

/**
 * N m per radian with which a joint's servo holds its goal at 6 V: a servo answers a position error with a pulse width of
 * its supply, and the full pulse width gives the stall torque.
 */
export function stiffnessOf({ gains, model }: Pick<Joint, "gains" | "model">): number {
  const pwmPerRadian = ((gains.p / P_GAIN_DIVISOR) * TICKS_PER_TURN) / (2 * Math.PI);
  return (pwmPerRadian * MODELS[model].stallTorque) / FULL_PWM;
}

/** The model that answers a ping with this number; undefined for a model that this robot does not use. */
export function modelByNumber(number: number): ServoModel | undefined {
  return Object.values(MODELS).find((model) => model.number === number);
}

/** A register with this model's initial value, and with its highest current limit. */
export function registerOf(model: ServoModel, name: RegisterName): Register {
  const register: Register = REGISTERS[name];
  const own = name === "modelNumber" ? model.number : model.initial[name];
  const initial = own ?? register.initial;
  return { ...register, initial, max: name === "currentLimit" ? initial : register.max };
}
