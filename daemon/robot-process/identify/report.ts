import { tableLines } from "../../../robot/command-line/table-lines.ts";
import type { Estimate, ServoEstimate } from "./fit.ts";
import type { Measurement } from "./measurement.ts";

/** Column heads of the table: name, unit, and the factor to it. */
const COLUMNS: readonly [name: string, key: Exclude<keyof ServoEstimate, "joint" | "model">, factor: number][] = [
  ["P divisor", "positionGainDivisor", 1],
  ["ohm", "resistance", 1],
  ["V s/rad", "backEmfConstant", 1],
  ["N m/A", "torqueConstant", 1],
  ["load loss %", "loadFriction", 100],
  ["dry mN m", "friction", 1000],
  ["viscous mN m s", "viscosity", 1000],
  ["inertia g m2", "inertia", 1000],
  ["stiff N m/rad", "stiffness", 1],
  ["damping mN m s", "damping", 1000],
];

/** The figures of a measurement as a table with error bands, and what they cannot say. */
export function describeEstimates(estimates: readonly ServoEstimate[], { supply, time }: Measurement): string {
  const lines = tableLines([
    ["joint", ...COLUMNS.map(([name]) => name)],
    ...estimates.map((servo) => [servo.joint, ...COLUMNS.map(([, key, factor]) => cell(servo[key], factor))]),
  ]);
  return [
    ...lines,
    `${(time.at(-1) ?? 0).toFixed(0)} s at ${supply.toFixed(2)} V. Bands are two standard deviations of the fit, and what its model leaves out.`,
    "Not separate: supply and winding (the servos measure 0.1 V). Without weight to lift (no N m/A), load loss and viscous friction",
    "are not told apart from dry friction and damping; friction and inertia have the back-EMF constant for torque.",
  ].join("\n");
}

function cell(estimate: Estimate | null, factor: number): string {
  if (estimate === null) return "-";
  const [value, band] = [estimate.value * factor, estimate.band * factor];
  if (!Number.isFinite(value)) return "too little motion";
  return `${value.toPrecision(3)} ± ${Number(band.toPrecision(1))}`;
}
