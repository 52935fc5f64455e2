// The runs of a soak without a queue: some apps again by the short tier, some by the whole suite.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { figure } from "../../bench/figures.ts";
import type { Programs } from "../programs.ts";
import type { Kind } from "./apps.ts";
import { type AppResult, isAsPlanned, type Run } from "./result.ts";

/** Seconds for one app of the short tier: five times what it takes while other apps use the processor, too. */
export const DEADLINE_S = "120";
/** Apps that the short tier judges by the queue and in process. */
const COMPARED = 10;

async function certifyWithoutQueue(args: string[], programs: Programs): Promise<Run> {
  const { output, exit } = programs.assistant(["certify", "--json", ...args]);
  const code = await exit;
  if (code !== 0) throw new Error(`certify --catalogue exited with code ${code}: ${output.err}`);
  return JSON.parse(output.out);
}

/** Writes a catalogue with some of the apps. @param apps their folder */
function writeList(file: string, apps: string, names: string[]) {
  writeFileSync(file, names.map((name) => join(apps, name)).join("\n"));
  return file;
}

/** Certifies the first apps in process, and compares their verdicts with those of the queue. */
export async function compareInProcess(run: Run, apps: string, folder: string, programs: Programs) {
  const chosen = readdirSync(apps).sort().slice(0, COMPARED);
  const list = writeList(join(folder, "compared.txt"), apps, chosen);
  const limits = ["--tier", "short", "--app-deadline", DEADLINE_S];
  const store = join(folder, "in-process");
  const other = await certifyWithoutQueue(["--catalogue", list, ...limits, "--store", store], programs);
  const text = ({ verdict, problems }: AppResult) => `${verdict} ${problems.map(({ id }) => id).join(" ")}`;
  const same = other.apps.filter((app) => {
    const queued = run.apps.find(({ name }) => name === app.name);
    return queued !== undefined && text(queued) === text(app);
  });
  const isSame = same.length === chosen.length && other.apps.length === chosen.length;
  figure("the same verdict in process and by the queue", `${same.length}`, `${chosen.length}`, isSame);
}

/**
 * Certifies some apps by the whole suite. Apps that hang while they are built are left out: each would take the ten minutes
 * that a build may take.
 */
export async function certifyWhole(count: number, apps: string, plan: Kind[], folder: string, programs: Programs) {
  const ending = readdirSync(apps).filter((name) => plan[Number(name.split("-")[0])]?.verdict !== "error");
  const chosen = ending.sort().slice(0, count);
  const list = writeList(join(folder, "whole.txt"), apps, chosen);
  const run = await certifyWithoutQueue(["--catalogue", list, "--store", join(folder, "whole")], programs);
  for (const { name, verdict, cost, problems } of run.apps) {
    const ids = problems.map(({ id }) => id).join(" ");
    console.log(`    ${name}: ${verdict} ${ids}${cost === null ? "" : `, ${textOf(cost)}`}`);
  }
  const right = run.apps.filter((app) => isAsPlanned(app, plan)).length;
  figure("whole suite: verdicts equal to the plan", `${right}`, `${count}`, right === count);
  figure("whole suite: time", `${(run.duration / 60).toFixed(1)} min`);
}

const textOf = ({ seconds, cpuSeconds, diskBytes }: NonNullable<AppResult["cost"]>) =>
  `${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s of processor time, ${(diskBytes / 1000).toFixed(0)} kB`;
