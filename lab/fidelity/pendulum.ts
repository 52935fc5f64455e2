// The servo of the legs on the pendulum of a published identification: table and plot for docs/simulator.md.
import { DEGREE } from "../../common/degree.ts";
import { MOTORS } from "../../sim/servos/motor/motor-parameters.ts";
import {
  compareMotor,
  comparePublished,
  meanAngles,
  ownAngles,
  PUBLISHED,
} from "../../sim/servos/testing/compare-pendulum.ts";
import { plot } from "./plot.ts";

/** The robot's P gain. */
const P_GAIN = 300;
const PLOTTED = "two sines";
const CHOSEN = MOTORS["XL330-M288"];

/** Changes of one parameter each, to what else it could be. */
const CHANGES: [string, Partial<typeof CHOSEN>][] = [
  ["P divisor 128 (manual)", { positionGainDivisor: 128 }],
  ["rotor inertia 1.0e-3 kg m² (an estimate)", { rotorInertia: 1e-3 }],
  ["viscous friction 1.3 mN m s/rad (0.08 A without load)", { viscosity: 1.3e-3 }],
  ["dry friction 12 / 15.6 mN m", { friction: 0.012, staticFriction: 0.0156 }],
  ["dry friction 1 / 1.2 mN m", { friction: 0.00095, staticFriction: 0.00124 }],
  ["winding 2.8 Ω (m6)", { resistance: 2.811 }],
  ["winding 4.0 Ω (m1)", { resistance: 4.017 }],
  ["torque and back-EMF constant 0.444", { torqueConstant: 0.444, backEmfConstant: 0.444 }],
  ["torque and back-EMF constant 0.366 (m6)", { torqueConstant: 0.366, backEmfConstant: 0.366 }],
  ["no loss of the loaded gear (m1)", { loadFriction: 0 }],
  ["loss of the loaded gear 27 % (m6)", { loadFriction: 0.267 }],
  ["no play", { backlash: 0 }],
];

export async function pendulumFigures(): Promise<{ table: string; svg: string }> {
  const rows = [];
  const row = (name: string, differences: Record<string, number>) => {
    const values = Object.values(differences);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return `| ${name} | ${[...values, mean].map((value) => value.toFixed(1)).join(" | ")} |`;
  };
  const chosen = await compareMotor(CHOSEN);
  rows.push(row("**this simulator**", chosen));
  for (const [name, change] of CHANGES) rows.push(row(name, await compareMotor({ ...CHOSEN, ...change })));
  for (const model of Object.keys(PUBLISHED.models)) rows.push(row(`published ${model}`, comparePublished(model)));
  const names = [...Object.keys(chosen), "mean"];
  const table = [`| | ${names.join(" | ")} |`, `|---|${names.map(() => "---|").join("")}`, ...rows].join("\n");
  const inDegrees = (angles: number[]) => angles.map((angle) => angle / DEGREE);
  const svg = plot("A pendulum that follows two sines", "degrees", [
    { name: "published, mean of six", values: inDegrees(meanAngles(PLOTTED, P_GAIN)) },
    {
      name: "P divisor 128",
      values: inDegrees(await ownAngles({ ...CHOSEN, positionGainDivisor: 128 }, PLOTTED, P_GAIN)),
    },
    { name: "simulated servo", values: inDegrees(await ownAngles(CHOSEN, PLOTTED, P_GAIN)) },
  ]);
  return { table, svg };
}
