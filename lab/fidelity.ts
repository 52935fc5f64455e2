// npm run fidelity: runs the same motions in our simulator and in MuJoCo (Python, installed into artifacts/), prints the differences
// with their targets, and writes them into docs/simulator-model.md. Exit code 1 when a target is missed.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { DEGREE } from "../common/degree.ts";
import { unlessFresh } from "../scripts/setup/fingerprint.mjs";
import { checkNode, installDependencies } from "../scripts/setup/prepare.mjs";
import { run, StepFailed, script, step } from "../scripts/setup/steps.mjs";
import { figure, missCount, section } from "./bench/figures.ts";
import { compare, stepFigures } from "./fidelity/compare.ts";
import { plot } from "./fidelity/plot.ts";
import { describeRobot, goalsOf, MOTIONS, runIdealDrives, runOurs, type Samples } from "./fidelity/trajectories.ts";

const MUJOCO = "mujoco==4.0.0";
const VENV = "artifacts/fidelity-venv";
const PAGE = "docs/simulator-model.md";
const PLOT = "docs/images/step-response.svg";
/** Root mean square of the head's difference: millimetres and degrees. The motors-off run falls freely, so small errors grow. */
const TARGET = { mm: 1.5, degrees: 2 };

async function installMujoco() {
  await step("MuJoCo", () =>
    unlessFresh(`${VENV}/.installed`, MUJOCO, async () => {
      await run("python3", ["-m", "venv", VENV]);
      await run(`${VENV}/bin/python`, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", MUJOCO]);
    }),
  );
}

function runReference(input: object): Samples[] {
  const { status, stdout, stderr } = spawnSync(`${VENV}/bin/python`, ["lab/fidelity/reference.py"], {
    input: JSON.stringify(input),
    maxBuffer: 2 ** 30,
    encoding: "utf8",
  });
  if (status !== 0) throw new StepFailed(`The reference failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** The yaw of a head's quaternion, degrees. */
function yawOf({ head: [, , , x = 0, y = 0, z = 0, w = 1] }: { head: number[] }) {
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) / DEGREE;
}

/** Replaces a generated part of a page. */
function writeInto(path: string, name: string, text: string) {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const page = readFileSync(path, "utf8");
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < 0) throw new StepFailed(`${path} has no place for the table (${begin}).`);
  writeFileSync(path, `${page.slice(0, before + begin.length)}\n${text}\n${page.slice(after)}`);
}

await script(async () => {
  checkNode();
  await installDependencies();
  mkdirSync("artifacts", { recursive: true });
  await installMujoco();
  const goals = MOTIONS.map(goalsOf);
  const ours: Samples[] = [];
  for (const [index, motion] of MOTIONS.entries()) ours.push(await runOurs(motion, goals[index] ?? []));
  const ideal = await runIdealDrives(goals[0] ?? []);
  const motions = MOTIONS.map((motion, index) => ({ ...motion, goals: goals[index] }));
  const reference = runReference({ robot: describeRobot(), motions });

  section(`Differences to ${MUJOCO} (root mean square / maximum)`);
  const number = ({ rms, max }: { rms: number; max: number }) => `${rms.toFixed(2)} / ${max.toFixed(2)}`;
  const rows = MOTIONS.map(({ name }, index) => {
    const bands = compare(ours[index] ?? [], reference[index] ?? []);
    const { mm, degrees, body, legs, antennas } = bands;
    const met = mm.rms <= TARGET.mm && degrees.rms <= TARGET.degrees;
    figure(name, `${number(mm)} mm, ${number(degrees)} degrees`, `<= ${TARGET.mm} mm, ${TARGET.degrees} degrees`, met);
    return `| ${name} | ${[mm, degrees, body, legs, antennas].map(number).join(" | ")} |`;
  });
  const first = (samples: Samples) => samples.slice(0, 100).map(yawOf);
  const yaw = stepFigures(first(ours[0] ?? []), 0, 20);
  const antenna = stepFigures(
    (ours[0] ?? []).slice(0, 100).map(({ joints }) => (joints[7] ?? 0) / DEGREE),
    0,
    0.8 / DEGREE,
  );
  section("Steps of the head's yaw (20 degrees) and of an antenna (46 degrees)");
  const text = ({ overshoot, settling, error }: typeof yaw) =>
    `${settling.toFixed(2)} s | ${overshoot.toFixed(0)} % | ${error.toFixed(1)}°`;
  figure("head", text(yaw));
  figure("antenna", text(antenna));
  const table = [
    "| motion | head, mm | head, ° | body, ° | legs, ° | antennas, ° |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    "| step | settles within 5 % | overshoot | remaining error |",
    "|---|---|---|---|",
    `| head, yaw 20° | ${text(yaw)} |`,
    `| antenna, 46° | ${text(antenna)} |`,
  ].join("\n");
  writeFileSync(
    PLOT,
    plot("Steps of the head's yaw", "degrees", [
      { name: "ideal drives", values: ideal.map(yawOf) },
      { name: "MuJoCo", values: (reference[0] ?? []).map(yawOf) },
      { name: "simulated robot", values: (ours[0] ?? []).map(yawOf) },
    ]),
  );
  writeInto(PAGE, "fidelity", table);
  process.exitCode = missCount() === 0 ? 0 : 1;
});
