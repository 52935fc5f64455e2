import { DEGREE } from "../../common/degree.ts";

/** The nine joints in bus and wire order: body, platform legs 1 to 6, antennas. */
export const JOINT_NAMES = [
  "body_yaw",
  "stewart_1",
  "stewart_2",
  "stewart_3",
  "stewart_4",
  "stewart_5",
  "stewart_6",
  "right_antenna",
  "left_antenna",
] as const;
export type JointName = (typeof JOINT_NAMES)[number];

/** The three kinds of servo in the robot and the model number each answers to a ping. */
export const SERVO_MODELS = { "XC330-M288": 1240, "XL330-M288": 1200, "XL330-M077": 1190 } as const;
export type ServoModel = keyof typeof SERVO_MODELS;

/** One joint and the servo that drives it. Angles in radians, `raw` in encoder ticks: 4096 a turn, tick 2048 is zero. */
export interface Joint {
  readonly name: JointName;
  /** Id on the bus. */
  readonly id: number;
  readonly model: ServoModel;
  /** Range of the joint angle, radians. */
  readonly range: readonly [lower: number, upper: number];
  /** Position limits in the servo's EEPROM, ticks, inclusive. */
  readonly rawRange: readonly [lower: number, upper: number];
  /** Ticks the servo adds to its encoder reading. */
  readonly homingOffset: number;
  /** Position gains as the servo's control table holds them. */
  readonly gains: { readonly p: number; readonly i: number; readonly d: number };
  /** Highest velocity of a target, rad/s. */
  readonly maxVelocity: number;
  /** Highest acceleration of a target, rad/s2. */
  readonly maxAcceleration: number;
}

/** The antenna servo counts to 4095, so its upper limit is one tick below pi. */
const ANTENNA_RANGE = [-Math.PI, (2 * Math.PI * 4095) / 4096 - Math.PI] as const;
const LEG_GAINS = { p: 300, i: 0, d: 0 };
const YAW_GAINS = { p: 200, i: 0, d: 0 };

/*
 * Ids, ranges, offsets and gains: the robot's public configuration. The manufacturer's no-load speeds at 5 V are about 8.5
 * (XC330-M288), 10.8 (XL330-M288) and 40 rad/s (XL330-M077). Velocity limits are a quarter below, the antenna's much
 * lower because a hand may be in its way; accelerations are what the stall torque allows under load.
 */
const leg = (
  name: JointName,
  id: number,
  range: Joint["range"],
  rawRange: Joint["rawRange"],
  homingOffset: number,
): Joint => ({
  name,
  id,
  model: "XL330-M288",
  range: [range[0] * DEGREE, range[1] * DEGREE],
  rawRange,
  homingOffset,
  gains: LEG_GAINS,
  maxVelocity: 8,
  maxAcceleration: 150,
});

const antenna = (name: JointName, id: number): Joint => ({
  name,
  id,
  model: "XL330-M077",
  range: ANTENNA_RANGE,
  rawRange: [0, 4095],
  homingOffset: 0,
  gains: YAW_GAINS,
  maxVelocity: 15,
  maxAcceleration: 300,
});

/** Every joint, in the order of `JOINT_NAMES`. Leg ranges are in degrees, as in the source. */
export const JOINTS = [
  {
    name: "body_yaw",
    id: 10,
    model: "XC330-M288",
    range: [-160 * DEGREE, 160 * DEGREE],
    rawRange: [0, 4095],
    homingOffset: 0,
    gains: YAW_GAINS,
    maxVelocity: 6,
    maxAcceleration: 60,
  },
  leg("stewart_1", 11, [-48, 80], [1502, 2958], 1024),
  leg("stewart_2", 12, [-80, 70], [1138, 2844], -1024),
  leg("stewart_3", 13, [-48, 80], [1502, 2958], 1024),
  leg("stewart_4", 14, [-80, 48], [1138, 2594], -1024),
  leg("stewart_5", 15, [-70, 80], [1252, 2958], 1024),
  leg("stewart_6", 16, [-80, 48], [1138, 2594], -1024),
  antenna("right_antenna", 17),
  antenna("left_antenna", 18),
] as const satisfies readonly Joint[];
