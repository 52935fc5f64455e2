// Reads what the runs of a soak leave (the JSON of `certify --catalogue`, the records of its store), and prints a table: lost
// apps, differences from the plan, cost of a verdict.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { figure, quantile } from "../../bench/figures.ts";
import type { Kind } from "./apps.ts";

const MEGABYTE = 1e6;

export interface AppResult {
  name: string;
  verdict: string;
  problems: { id: string }[];
  cost: { seconds: number; cpuSeconds: number; memoryBytes: number; diskBytes: number } | null;
}

export interface Run {
  apps: AppResult[];
  /** Seconds. */
  duration: number;
}

/** Whether an app got the verdict that it was made to get. */
export function isAsPlanned({ name, verdict, problems }: AppResult, plan: Kind[]) {
  const kind = plan[Number(name.split("-")[0])];
  const found = kind?.requirement === null || problems.some(({ id }) => id === kind?.requirement);
  return verdict === kind?.verdict && found;
}

const verdictsIn = (store: string) => join(store, "verdicts");

/** File names of the records in a store. */
export function recordsIn(store: string) {
  try {
    return readdirSync(verdictsIn(store)).flatMap((part) => readdirSync(join(verdictsIn(store), part)));
  } catch {
    return [];
  }
}

/** Size of the records in a store. */
function recordBytes(store: string) {
  return readdirSync(verdictsIn(store), { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}

/** @param redisBytes the most memory of Redis */
export function printResult(
  { apps, duration }: Run,
  plan: Kind[],
  store: string,
  kills: Record<string, number>,
  redisBytes: number,
) {
  const records = recordsIn(store);
  const judged = plan.filter(({ verdict }) => verdict !== "error").length;
  const lost = judged - apps.filter(({ verdict }) => verdict !== "error").length;
  const double = repeated(apps.map(({ name }) => name)) + repeated(records.map((name) => name.split("-")[0]));
  const wrong = apps.filter((app) => !isAsPlanned(app, plan));
  figure("apps in", `${plan.length}`);
  figure("apps out", `${apps.length}`, `${plan.length}`, apps.length === plan.length);
  figure("lost", `${lost}`, "0", lost === 0);
  figure("double", `${double}`, "0", double === 0);
  figure("records in the store", `${records.length}`, `${judged}`, records.length === judged);
  figure("verdicts equal to the plan", `${apps.length - wrong.length}`, `${plan.length}`, wrong.length === 0);
  for (const { name, verdict, problems } of wrong)
    console.log(`    ${name}: ${verdict}, ${problems.map(({ id }) => id)}`);
  const killed = Object.entries(kills).map(([what, times]) => `${times} of ${what}`);
  figure("kills survived", killed.join(", "));
  figure("time", `${(duration / 60).toFixed(1)} min, ${Math.round((3600 * apps.length) / duration)} verdicts an hour`);
  printCosts(apps);
  figure("disk of a verdict", `${(recordBytes(store) / records.length / 1000).toFixed(1)} kB`);
  figure("memory of Redis", `${(redisBytes / MEGABYTE).toFixed(1)} MB`);
}

/** How many names are repetitions of an earlier one. */
const repeated = (names: (string | undefined)[]) => names.length - new Set(names).size;

function printCosts(apps: AppResult[]) {
  const costs = apps.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  const cpu = costs.map(({ cpuSeconds }) => cpuSeconds);
  const mean = cpu.reduce((sum, each) => sum + each, 0) / cpu.length;
  figure("processor time of a verdict", `mean ${mean.toFixed(1)} s, median ${quantile(cpu, 0.5).toFixed(1)} s`);
  const seconds = costs.map((cost) => cost.seconds);
  const [median, slow] = [quantile(seconds, 0.5), quantile(seconds, 0.95)];
  figure("time of a certification", `median ${median.toFixed(0)} s, p95 ${slow.toFixed(0)} s`);
  const memory = costs.map(({ memoryBytes }) => memoryBytes / MEGABYTE);
  figure("memory of a certification", `p95 ${quantile(memory, 0.95).toFixed(0)} MB, all its processes`);
}
