import { Matrix, pseudoInverse } from "ml-matrix";
import { JOINTS } from "../../../robot/description/joints.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { GRAVITY, gravityTorques } from "../../../robot/kinematics/gravity.ts";
import { postureOf } from "../../../robot/kinematics/joint-groups.ts";
import { positionOf } from "../../../robot/kinematics/pose.ts";
import { FULL_PWM } from "../../../robot/servo/registers/control-table.ts";
import {
  TICKS_PER_TURN,
  ticksToRadians,
  unitsToAmperes,
  unitsToRadiansPerSecond,
} from "../../../robot/servo/registers/units.ts";
import type { Measurement, ServoSamples } from "./measurement.ts";
import { derivative, smooth } from "./smoothing.ts";

/** rad/s: below it, dry friction has no certain direction. */
const MOVING = 0.3;
/** A: below it, the gear may be in its play, and passes no torque on. Samples before one in which it must have been off it. */
const LOADED = 0.015;
const STEADY_BEFORE = 4;
/** Samples of which one counts: neighbours have the same errors. */
const CORRELATED = 5;
/** Half the width of an error band in standard deviations. */
const BAND = 2;
/**
 * What the standard deviations do not have in them, as shares of the figures: the supply, which the servos measure in steps of
 * 0.1 V, and what this model leaves out. Found with simulated servos of known parameters.
 */
const SUPPLY_ERROR = 0.015;
const MODEL_ERROR = 0.04;
const GAIN_ERROR = 0.045;
/** The same for the load loss, in shares of the motor's torque, and for the damping of a joint whose viscous friction is unknown. */
const LOAD_ERROR = 0.008;
const UNKNOWN_VISCOSITY = 0.08;
/** Share of the certainty that the fit states for torques of a joint that lifts no weight. */
const UNSCALED = 0.2;

/** A figure and half of its error band. */
export interface Estimate {
  readonly value: number;
  readonly band: number;
}

/** What a measurement says of a servo; SI units at the output shaft. */
export interface ServoEstimate {
  readonly joint: string;
  readonly model: string;
  /** Units of the pulse width per tick are the P gain by this. */
  readonly positionGainDivisor: Estimate;
  /** Ohms and V s/rad, relative to the measured supply. */
  readonly resistance: Estimate;
  readonly backEmfConstant: Estimate;
  /**
   * N m/A, from the weight that the joint lifts. Null for a joint that lifts none: friction and inertia then have the back-EMF
   * constant in its place.
   */
  readonly torqueConstant: Estimate | null;
  /** Share of the motor's torque. Null for a joint that lifts no weight: its current is about that of dry friction, always. */
  readonly loadFriction: Estimate | null;
  /** N m, N m s/rad, kg m2; the last with what turns rigidly with the joint. */
  readonly friction: Estimate;
  /** Null for a joint that lifts no weight: it is a few hundredths of the damping. */
  readonly viscosity: Estimate | null;
  readonly inertia: Estimate;
  /** N m/rad and N m s/rad at this supply: what position data alone shows. */
  readonly stiffness: Estimate;
  readonly damping: Estimate;
}

interface Row {
  readonly target: number;
  readonly terms: readonly number[];
}

/** One servo's samples in SI units. `lag` in seconds: over which its firmware averages what it reports. */
interface Signals {
  readonly volts: Float64Array;
  readonly current: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  readonly lag: number;
}

/** Fits all servos of a measurement by least squares. */
export function fitServos(measurement: Measurement): ServoEstimate[] {
  const loads = weightTorques(measurement);
  return measurement.servos.map((servo, joint) => estimate(measurement, servo, loads[joint] as Float64Array));
}

function estimate({ time, supply }: Measurement, servo: ServoSamples, load: Float64Array): ServoEstimate {
  const signals = signalsOf(time, supply, servo);
  const { volts, current, velocity, acceleration, lag } = signals;
  const samples = time.map((_, sample) => sample).slice(CORRELATED, -CORRELATED);
  const pick = (which: (sample: number) => Row | undefined) => samples.flatMap((sample) => which(sample) ?? []);
  const at = (values: ArrayLike<number>, sample: number) => values[sample] ?? 0;

  const [kept, gain] = leastSquares(
    withoutOutliers(
      pick((sample) => gainRow(servo, sample)),
      3,
    ),
    3,
  ) as [Estimate, Estimate, Estimate];
  const perTick = product(gain, inverted({ value: 1 - kept.value, band: kept.band }));
  const divisor = widened(scaled(inverted(perTick), servo.pGain), GAIN_ERROR);
  const electrical = pick((sample) => ({
    target: at(volts, sample),
    terms: [at(current, sample), at(velocity, sample)],
  }));
  const [resistance, backEmfConstant] = leastSquares(electrical, 2).map((one) => widened(one, SUPPLY_ERROR)) as [
    Estimate,
    Estimate,
  ];

  // The weight changes slowly, and is averaged as the current is.
  const delayed = derivative(time, load);
  const signs = velocity.map(Math.sign);
  // The current comes a little before or after the acceleration that it makes, which looks like viscous friction in a sine.
  const jerk = derivative(time, acceleration);
  const [amperes, speeds, weights, dry, loaded] = [
    smooth(current),
    smooth(velocity),
    smooth(load),
    smooth(signs),
    smooth(signs.map((sign, sample) => sign * Math.abs(at(current, sample)))),
  ];
  const lifts = Math.max(...load.map(Math.abs)) > LEAST_WEIGHT;
  const mechanical = pick((sample) => {
    if (!isSteady(velocity, sample, MOVING) || !isSteady(current, sample, LOADED)) return undefined;
    const weight = at(weights, sample) - lag * at(delayed, sample);
    const terms = [at(loaded, sample), at(dry, sample), at(speeds, sample), at(acceleration, sample), at(jerk, sample)];
    return { target: at(amperes, sample), terms: lifts ? [...terms, weight] : terms };
  });
  const [loadLoss, dryFriction, viscous, inertial, _lead, perTorque] = leastSquares(
    mechanical,
    lifts ? 6 : 5,
  ) as Estimate[];
  const torqueConstant = perTorque === undefined ? null : widened(inverted(perTorque), 2 * SUPPLY_ERROR);
  const constant = torqueConstant ?? backEmfConstant;
  const torque = (inAmperes: Estimate | undefined, certainty = 1) => {
    const { value, band } = inAmperes as Estimate;
    return widened(product({ value, band: band / certainty }, constant), MODEL_ERROR);
  };
  const viscosity = lifts ? torque(viscous) : null;
  const perVolt = product(constant, inverted(resistance));
  const motorDamping = product(perVolt, backEmfConstant);
  const ticks = TICKS_PER_TURN / (2 * Math.PI);
  return {
    joint: servo.joint,
    model: servo.model,
    positionGainDivisor: divisor,
    resistance,
    backEmfConstant,
    torqueConstant,
    loadFriction: lifts && loadLoss ? { ...loadLoss, band: Math.hypot(loadLoss.band, LOAD_ERROR) } : null,
    // Without weight, load loss and dry friction are hardly told apart.
    friction: torque(dryFriction, lifts ? 1 : UNSCALED),
    viscosity,
    inertia: torque(inertial, lifts ? 1 : UNSCALED),
    stiffness: scaled(product(perVolt, inverted(divisor)), (servo.pGain * ticks * supply) / FULL_PWM),
    damping: viscosity === null ? widened(motorDamping, UNKNOWN_VISCOSITY) : sum(motorDamping, viscosity),
  };
}

/** Whether a signal has kept its sign, and a least size, for a while: friction has one direction, the gear is off its play. */
function isSteady(signal: Float64Array, sample: number, least: number): boolean {
  const sign = Math.sign(signal[sample] ?? 0);
  for (let k = sample - STEADY_BEFORE; k <= sample + 2; k += 1) if (sign * (signal[k] ?? 0) < least) return false;
  return true;
}

/** N m: a joint that lifts less says too little of its torque constant. */
const LEAST_WEIGHT = 0.01;

function signalsOf(time: readonly number[], supply: number, servo: ServoSamples): Signals {
  const velocity = Float64Array.from(servo.velocity, unitsToRadiansPerSecond);
  const acceleration = derivative(time, velocity);
  const speed = derivative(time, Float64Array.from(servo.position, ticksToRadians));
  // A first-order average lags its input by this time: speed = velocity + lag * acceleration.
  const rows = time.flatMap((_, sample) => ({
    target: (speed[sample] ?? 0) - (velocity[sample] ?? 0),
    terms: [acceleration[sample] ?? 0],
  }));
  const [lag] = leastSquares(rows, 1);
  return {
    volts: Float64Array.from(servo.pwm, (pwm) => (supply * pwm) / FULL_PWM),
    current: Float64Array.from(servo.current, unitsToAmperes),
    velocity,
    acceleration,
    lag: Math.max(0, lag?.value ?? 0),
  };
}

/** The reported pulse width by the last one, as it is averaged, the mean position error since then, and how far the goal went. */
function gainRow(servo: ServoSamples, sample: number): Row | undefined {
  const [before, now] = [servo.pwm[sample - 1] ?? 0, servo.pwm[sample] ?? 0];
  if (Math.max(Math.abs(before), Math.abs(now)) > 0.9 * FULL_PWM) return undefined;
  const position = ((servo.position[sample - 1] ?? 0) + (servo.position[sample] ?? 0)) / 2;
  const goal = servo.goal[sample] ?? 0;
  return { target: now, terms: [before, goal - position, goal - (servo.goal[sample - 1] ?? 0)] };
}

/** Torques in N m that each joint needs for the robot's weight, with the head's own acceleration. */
function weightTorques({ time, servos }: Measurement): Float64Array[] {
  const loads = JOINTS.map(() => new Float64Array(time.length));
  const height = new Float64Array(time.length);
  let head = DEFAULT_POSE.head;
  for (let sample = 0; sample < time.length; sample += 1) {
    const joints = servos.map(({ position }) => ticksToRadians(position[sample] ?? 0));
    ({ head } = postureOf(joints, head));
    height[sample] = positionOf(head)[2];
    const torques = gravityTorques(joints, head);
    for (const [joint, load] of loads.entries()) load[sample] = torques[joint] ?? 0;
  }
  const lifting = derivative(time, derivative(time, height));
  for (const load of loads.slice(1, 7))
    load.forEach((torque, sample) => {
      load[sample] = torque * (1 + (lifting[sample] ?? 0) / GRAVITY);
    });
  return loads;
}

/** Standard deviations beyond which a row counts as an outlier: a lost packet leaves a servo with an older goal. */
const OUTLIER = 3;

/** The rows that a fit to all of them describes. */
function withoutOutliers(rows: readonly Row[], count: number): Row[] {
  const fit = leastSquares(rows, count);
  const residuals = rows.map(({ target, terms }) =>
    terms.reduce((left, term, at) => left - term * (fit[at]?.value ?? 0), target),
  );
  const deviation = Math.sqrt(residuals.reduce((sum, each) => sum + each * each, 0) / rows.length);
  return rows.filter((_, at) => Math.abs(residuals[at] ?? 0) < OUTLIER * deviation);
}

/** Solves rows for their coefficients, with error bands; not a number where there are too few rows. */
function leastSquares(rows: readonly Row[], count: number): Estimate[] {
  if (rows.length < 10 * count) return Array.from({ length: count }, () => ({ value: Number.NaN, band: Number.NaN }));
  const normal = Matrix.zeros(count, count);
  const right = Matrix.zeros(count, 1);
  for (const { target, terms } of rows) {
    for (let i = 0; i < count; i += 1) {
      right.set(i, 0, right.get(i, 0) + (terms[i] ?? 0) * target);
      for (let j = 0; j < count; j += 1) normal.set(i, j, normal.get(i, j) + (terms[i] ?? 0) * (terms[j] ?? 0));
    }
  }
  const inverse = pseudoInverse(normal);
  const values = inverse.mmul(right).to1DArray();
  const squares = rows.reduce((total, { target, terms }) => {
    return total + (target - terms.reduce((model, term, i) => model + term * (values[i] ?? 0), 0)) ** 2;
  }, 0);
  const variance = (squares / rows.length) * CORRELATED;
  return values.map((value, i) => ({ value, band: BAND * Math.sqrt(Math.max(0, variance * inverse.get(i, i))) }));
}

const relative = ({ value, band }: Estimate) => band / Math.abs(value);
const scaled = ({ value, band }: Estimate, factor: number): Estimate => ({
  value: value * factor,
  band: band * factor,
});
/** With a further error, as a share of the figure. */
const widened = (one: Estimate, share: number): Estimate => ({
  ...one,
  band: Math.hypot(one.band, share * Math.abs(one.value)),
});
const inverted = (one: Estimate): Estimate => ({ value: 1 / one.value, band: relative(one) / Math.abs(one.value) });
const sum = (a: Estimate, b: Estimate): Estimate => ({ value: a.value + b.value, band: Math.hypot(a.band, b.band) });
function product(a: Estimate, b: Estimate): Estimate {
  const value = a.value * b.value;
  return { value, band: Math.abs(value) * Math.hypot(relative(a), relative(b)) };
}
