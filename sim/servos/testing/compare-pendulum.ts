import { readFileSync } from "node:fs";
import { DEGREE } from "../../../common/degree.ts";
import { FULL_PWM } from "../../../robot/servo/registers/control-table.ts";
import { TICKS_PER_TURN } from "../../../robot/servo/registers/units.ts";
import type { MotorParameters } from "../motor/motor-parameters.ts";
import { PendulumBench } from "./pendulum-bench.ts";
import { type Pendulum, type PublishedModel, simulatePublished } from "./published-model.ts";

const SECONDS = 6;
const SAMPLE = 0.01;

/** Goals of the published recordings in radians by time, 6 s each; undefined while torque is off. */
type Trajectory = (seconds: number) => number | undefined;

/** From `from` to `to` radians in `duration` seconds from `begin` on, at rest at both ends. */
const smooth = (begin: number, duration: number, from: number, to: number) => (seconds: number) => {
  const share = Math.max(0, Math.min(1, (seconds - begin) / duration));
  return from + (to - from) * share * share * (3 - 2 * share);
};

const UP = Math.PI / 2;

const TRAJECTORIES: Readonly<Record<string, Trajectory>> = {
  "sine of growing frequency": (t) => Math.sin(t * t),
  "two sines": (t) => UP * Math.sin(t) + 0.5 * Math.sin(5 * t) * Math.sin(2 * t),
  "lift, then torque off": (t) => (t < 2 ? smooth(0, 2, 0, -UP)(t) : undefined),
  "slowly up and down": (t) => (t < 3 ? smooth(0, 3, 0, UP)(t) : smooth(3, 3, UP, 0.8 * UP)(t)),
  "slow half of a sine": (t) => UP * Math.sin(t / 2),
  steps: (t) => [0, 0.75, 0.75, 1.55, 1.55, 0.75, 0][Math.floor(t < 2.5 ? t : t < 4 ? 3 : t < 5 ? 5 : 6)] ?? 0,
};

interface Published {
  readonly bench: Pendulum & { readonly supply: number; readonly divisor: number; readonly pGains: readonly number[] };
  readonly models: Readonly<Record<string, PublishedModel>>;
}

/** The published identification of the XL330-M288. */
export const PUBLISHED = JSON.parse(
  readFileSync(new URL("../../../fixtures/servos/xl330-m288.json", import.meta.url), "utf8"),
) as Published;

const { bench: BENCH, models: MODELS } = PUBLISHED;

const computed = new Map<string, number[]>();

/** Angles of a published model in radians, each 10 ms. */
export function publishedAngles(model: string, trajectory: string, pGain: number): number[] {
  const key = `${model} ${trajectory} ${pGain}`;
  const known = computed.get(key) ?? simulate(model, trajectory, pGain);
  computed.set(key, known);
  return known;
}

function simulate(model: string, trajectory: string, pGain: number): number[] {
  const dutyPerRadian = ((pGain / BENCH.divisor) * TICKS_PER_TURN) / (2 * Math.PI * FULL_PWM);
  // A driver sends a goal each 10 ms.
  const goal = (seconds: number) => goalOf(trajectory)(SAMPLE * Math.floor(seconds / SAMPLE + 1e-6));
  const drive = { supply: BENCH.supply, dutyPerRadian, goal };
  return simulatePublished(MODELS[model] as PublishedModel, BENCH, drive, SECONDS, SAMPLE);
}

/** Angles of our servo on the same pendulum with the same goals, in radians, each 10 ms. */
export async function ownAngles(motor: MotorParameters, trajectory: string, pGain: number): Promise<number[]> {
  const bench = await PendulumBench.create(motor, BENCH, BENCH.supply);
  // The published models have no protection; ours would turn torque off under the heaviest load.
  bench.write("shutdown", 0);
  bench.write("positionPGain", pGain);
  const angles = bench.follow(goalOf(trajectory), SECONDS);
  bench.free();
  return angles;
}

/** Root mean square of the difference, degrees. */
export function rootMeanSquare(a: readonly number[], b: readonly number[]): number {
  const squares = a.map((angle, index) => (angle - (b[index] ?? angle)) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / a.length) / DEGREE;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** For each trajectory, the root mean square over P gains to the mean of the published models; degrees. */
export async function compareMotor(motor: MotorParameters, pGains = BENCH.pGains): Promise<Record<string, number>> {
  const result: Record<string, number> = {};
  for (const trajectory of Object.keys(TRAJECTORIES)) {
    const differences: number[] = [];
    for (const pGain of pGains) {
      differences.push(rootMeanSquare(await ownAngles(motor, trajectory, pGain), meanAngles(trajectory, pGain)));
    }
    result[trajectory] = mean(differences);
  }
  return result;
}

/** For each trajectory, how far a published model is from the mean of the others: what they leave open. */
export function comparePublished(model: string, pGains = BENCH.pGains): Record<string, number> {
  const entries = Object.keys(TRAJECTORIES).map((trajectory) => {
    const others = Object.keys(MODELS).filter((name) => name !== model);
    const differences = pGains.map((pGain) =>
      rootMeanSquare(publishedAngles(model, trajectory, pGain), meanAngles(trajectory, pGain, others)),
    );
    return [trajectory, mean(differences)] as const;
  });
  return Object.fromEntries(entries);
}

/** The mean of what published models do, radians, each 10 ms. */
export function meanAngles(trajectory: string, pGain: number, models = Object.keys(MODELS)): number[] {
  const all = models.map((model) => publishedAngles(model, trajectory, pGain));
  return (all[0] ?? []).map((_, sample) => mean(all.map((angles) => angles[sample] ?? 0)));
}

function goalOf(trajectory: string): (seconds: number) => number | undefined {
  const goal = TRAJECTORIES[trajectory];
  if (goal === undefined) throw new RangeError(`there is no trajectory ${trajectory}`);
  return goal;
}
