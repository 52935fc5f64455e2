// Certifies a generated catalogue with four workers while workers, Redis and the run itself are killed at random: every app
// must get exactly one verdict, the one that it was made to get.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../bench/daemon.mjs";
import { figure, quantile, section } from "../bench/figures.mjs";
import { built } from "../setup/built.mjs";
import { findRedis } from "../setup/redis.mjs";
import { StepFailed } from "../setup/steps.mjs";
import { APP, planKinds, writeApp } from "./catalogue-apps.mjs";
import { ASSISTANT, freePort, Programs } from "./programs.mjs";

const WORKERS = 4;
/** Apps that a worker certifies at a time: the four of all workers keep two cores busy. */
const CONCURRENCY = "1";
/** Seconds for one app of the short tier: five times what it takes while other apps use the processor, too. */
const DEADLINE_S = "120";
/** Milliseconds between two kills, from and to: several certifications of a worker end before it is killed. */
const KILL_MS = [40_000, 140_000];
/** Apps that are also certified in process. */
const COMPARED = 10;
const MEGABYTE = 1e6;

/** @typedef {{ name: string, verdict: string, known: boolean, problems: { id: string }[], cost: { seconds: number, cpuSeconds: number, memoryBytes: number, diskBytes: number } | null, attempts: { failure: { kind: string } | null }[] }} App */
/** @typedef {{ apps: App[], duration: number }} Run */

/** @param {string} folder */
function folderBytes(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}

/** @param {number} count @param {string} into @param {() => number} random */
function writeCatalogue(count, into, random) {
  const scratch = mkdtempSync(join(tmpdir(), "robot-soak-"));
  const { status, stderr } = spawnSync(process.execPath, [ASSISTANT, "create", APP, scratch], { encoding: "utf8" });
  if (status !== 0) throw new StepFailed(`create ${APP} exited with code ${status}: ${stderr}`);
  const plan = planKinds(count, random);
  for (const [number, kind] of plan.entries()) writeApp(join(scratch, APP), into, kind, number);
  rmSync(scratch, { recursive: true });
  return plan;
}

/**
 * @param {number} count apps of the short tier
 * @param {number} whole apps that are judged by the whole suite, too
 * @param {number} seed
 */
export async function soakCatalogue(count, whole, seed) {
  section(`Catalogue: ${count} apps, ${whole} of them also by the whole suite, --seed ${seed}`);
  const redisServer = findRedis();
  if (redisServer === null) throw new StepFailed("redis-server is missing: apt install redis-server");
  const folder = mkdtempSync(join(tmpdir(), "robot-soak-catalogue-"));
  const programs = new Programs();
  try {
    const apps = join(folder, "apps");
    mkdirSync(apps);
    const { seededRandom } = await built("common/seeded-random.js");
    const random = seededRandom(seed);
    const plan = writeCatalogue(count, apps, random);
    const { run, kills, memory } = await runWithKills({ folder, apps, redisServer, programs, random });
    report(run, plan, join(folder, "store"), kills, memory);
    await compareInProcess(run, apps, folder, programs);
    if (whole > 0) await certifyWhole(whole, apps, plan, folder, programs);
    const left = await until("all processes end", 30_000, async () => (await programs.left()).length === 0).then(
      () => 0,
      async () => (await programs.left()).length,
    );
    figure("processes left", `${left}`, "0", left === 0);
  } finally {
    programs.killAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * @param {{ folder: string, apps: string, redisServer: string, programs: Programs, random: () => number }} options
 * @returns {Promise<{ run: Run, kills: Record<string, number>, memory: number }>} memory: the most of Redis, bytes
 */
async function runWithKills({ folder, apps, redisServer, programs, random }) {
  const port = await freePort();
  const queue = `redis://127.0.0.1:${port}`;
  const store = ["--store", join(folder, "store")];
  const startRedis = async () => {
    const data = join(folder, "redis");
    mkdirSync(data, { recursive: true });
    const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", data, "--save", "", "--appendonly", "yes"];
    const redis = programs.start(redisServer, args);
    await until("Redis is ready", 20_000, () => redis.output.out.includes("Ready to accept connections"));
    return redis;
  };
  const killed = new Set();
  let selfEnded = 0;
  const startWorker = () => {
    const limits = ["--concurrency", CONCURRENCY, "--app-deadline", DEADLINE_S];
    const worker = programs.assistant(["worker", "--queue", queue, ...limits, ...store]);
    worker.exit.then((code) => {
      if (killed.has(worker.child)) return;
      selfEnded += 1;
      console.log(`  a worker ended with ${code ?? worker.child.signalCode}: ${worker.output.err}`);
      workers[workers.indexOf(worker)] = startWorker();
    });
    return worker;
  };
  const startRun = () =>
    programs.assistant(["certify", "--catalogue", apps, "--tier", "short", "--queue", queue, "--json", ...store]);
  let redis = await startRedis();
  /** @type {ReturnType<Programs["start"]>[]} */
  const workers = [];
  for (let index = 0; index < WORKERS; index += 1) workers.push(startWorker());
  let run = startRun();
  const began = performance.now();
  /** @type {Record<string, number>} */
  const kills = { workers: 0, Redis: 0, "the run": 0 };
  let memory = 0;
  for (;;) {
    const [from = 0, to = 0] = KILL_MS;
    const pause = new Promise((resolve) => setTimeout(resolve, from + random() * (to - from), "kill"));
    const what = await Promise.race([run.exit, pause]);
    if (what !== "kill") break;
    memory = Math.max(memory, redisMemory(redis.child.pid ?? 0));
    const dice = random();
    if (dice < 0.7) {
      const index = Math.floor(random() * WORKERS);
      const victim = workers[index] ?? startWorker();
      killed.add(victim.child);
      victim.child.kill("SIGKILL");
      await victim.exit;
      workers[index] = startWorker();
      kills.workers = (kills.workers ?? 0) + 1;
    } else if (dice < 0.85) {
      redis.child.kill("SIGKILL");
      await redis.exit;
      redis = await startRedis();
      kills.Redis = (kills.Redis ?? 0) + 1;
    } else {
      run.child.kill("SIGKILL");
      await run.exit;
      run = startRun();
      kills["the run"] = (kills["the run"] ?? 0) + 1;
    }
    const done = folderNames(join(folder, "store/verdicts")).length;
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    console.log(`  ${minutes} min: ${done} verdicts, kills: ${JSON.stringify(kills)}`);
  }
  if (run.output.out === "") throw new Error(`the run ended with ${run.child.exitCode}: ${run.output.err}`);
  const codes = await Promise.all(
    workers.map(({ child, exit }) => {
      killed.add(child);
      child.kill("SIGTERM");
      return exit;
    }),
  );
  figure(
    "exit codes of drained workers",
    codes.join(", "),
    "0",
    codes.every((code) => code === 0),
  );
  figure("workers that ended by themselves", `${selfEnded}`, "0", selfEnded === 0);
  redis.child.kill("SIGTERM");
  await redis.exit;
  const result = /** @type {Run} */ (JSON.parse(run.output.out));
  return { run: { ...result, duration: (performance.now() - began) / 1000 }, kills, memory };
}

/** Whether an app got the verdict that it was made to get. @param {App} app @param {import("./catalogue-apps.mjs").Kind[]} plan */
function isAsPlanned({ name, verdict, problems }, plan) {
  const kind = plan[Number(name.split("-")[0])];
  const found = kind?.requirement === null || problems.some(({ id }) => id === kind?.requirement);
  return verdict === kind?.verdict && found;
}

/** @param {number} pid */
function redisMemory(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Names of the records of a store. @param {string} verdicts */
function folderNames(verdicts) {
  try {
    return readdirSync(verdicts).flatMap((part) => readdirSync(join(verdicts, part)));
  } catch {
    return [];
  }
}

/**
 * @param {Run} run
 * @param {import("./catalogue-apps.mjs").Kind[]} plan
 * @param {string} store
 * @param {Record<string, number>} kills
 * @param {number} redisBytes
 */
function report(run, plan, store, kills, redisBytes) {
  const { apps, duration } = run;
  const judged = apps.filter(({ verdict }) => verdict !== "error");
  const records = folderNames(join(store, "verdicts"));
  const lost = plan.length - judged.length;
  const double = records.length - new Set(records.map((name) => name.split("-")[0])).size + apps.length - plan.length;
  const wrong = apps.filter((app) => !isAsPlanned(app, plan));
  figure("apps in", `${plan.length}`);
  figure("apps out", `${apps.length}`, `${plan.length}`, apps.length === plan.length);
  figure("lost", `${lost}`, "0", lost === 0);
  figure("double", `${double}`, "0", double === 0);
  figure("records in the store", `${records.length}`, `${plan.length}`, records.length === plan.length);
  figure("verdicts equal to the plan", `${apps.length - wrong.length}`, `${plan.length}`, wrong.length === 0);
  for (const { name, verdict, problems } of wrong)
    console.log(`    ${name}: ${verdict}, ${problems.map(({ id }) => id)}`);
  figure(
    "kills survived",
    Object.entries(kills)
      .map(([what, times]) => `${times} of ${what}`)
      .join(", "),
  );
  const attempts = apps.reduce((sum, each) => sum + each.attempts.length, 0);
  figure("attempts that gave no verdict", `${attempts}`);
  figure("time", `${(duration / 60).toFixed(1)} min, ${Math.round((3600 * apps.length) / duration)} verdicts an hour`);
  const costs = apps.flatMap(({ cost, verdict }) => (cost === null || verdict === "quarantined" ? [] : [cost]));
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const cpu = costs.map(({ cpuSeconds }) => cpuSeconds);
  figure("processor time of a verdict", `mean ${mean(cpu).toFixed(1)} s, median ${quantile(cpu, 0.5).toFixed(1)} s`);
  const seconds = costs.map((cost) => cost.seconds);
  figure(
    "time of a certification",
    `median ${quantile(seconds, 0.5).toFixed(0)} s, p95 ${quantile(seconds, 0.95).toFixed(0)} s`,
  );
  const memory = costs.map(({ memoryBytes }) => memoryBytes / MEGABYTE);
  figure("memory of a certification", `p95 ${quantile(memory, 0.95).toFixed(0)} MB, all its processes`);
  figure("disk of a verdict", `${(folderBytes(join(store, "verdicts")) / records.length / 1000).toFixed(1)} kB`);
  figure("memory of Redis", `${(redisBytes / MEGABYTE).toFixed(1)} MB`);
}

/** @param {string[]} args @param {Programs} programs @returns {Promise<Run>} */
async function certifyInProcess(args, programs) {
  const { output, exit } = programs.assistant(["certify", "--json", ...args]);
  const code = await exit;
  if (code !== 0) throw new Error(`certify --catalogue exited with code ${code}: ${output.err}`);
  return JSON.parse(output.out);
}

/** The lines of a catalogue with some apps. @param {string} apps @param {number} count */
const firstApps = (apps, count) =>
  readdirSync(apps)
    .sort()
    .slice(0, count)
    .map((name) => join(apps, name));

/** @param {Run} run @param {string} apps @param {string} folder @param {Programs} programs */
async function compareInProcess(run, apps, folder, programs) {
  const list = join(folder, "compared.txt");
  writeFileSync(list, firstApps(apps, COMPARED).join("\n"));
  const args = [
    "--catalogue",
    list,
    "--tier",
    "short",
    "--app-deadline",
    DEADLINE_S,
    "--store",
    join(folder, "in-process"),
  ];
  const other = await certifyInProcess(args, programs);
  const text = (/** @type {App} */ { verdict, problems }) => `${verdict} ${problems.map(({ id }) => id).join(" ")}`;
  const same = other.apps.filter((app) => {
    const queued = run.apps.find(({ name }) => name === app.name);
    return queued !== undefined && text(queued) === text(app);
  });
  const all = other.apps.length;
  figure("the same verdict in process and by the queue", `${same.length} of ${all}`, `${all}`, same.length === all);
}

/**
 * Apps that hang are left out: each would take three deadlines of the whole suite, an hour.
 * @param {number} count
 * @param {string} apps
 * @param {import("./catalogue-apps.mjs").Kind[]} plan
 * @param {string} folder
 * @param {Programs} programs
 */
async function certifyWhole(count, apps, plan, folder, programs) {
  const list = join(folder, "whole.txt");
  const ending = readdirSync(apps).filter((name) => plan[Number(name.split("-")[0])]?.verdict !== "quarantined");
  const chosen = ending.sort().slice(0, count);
  writeFileSync(list, chosen.map((name) => join(apps, name)).join("\n"));
  const run = await certifyInProcess(["--catalogue", list, "--store", join(folder, "whole")], programs);
  for (const { name, verdict, cost, problems } of run.apps) {
    const ids = problems.map(({ id }) => id).join(" ");
    const text =
      cost === null
        ? ""
        : `${cost.seconds.toFixed(0)} s, ${cost.cpuSeconds.toFixed(0)} s of processor time, ${(cost.diskBytes / 1000).toFixed(0)} kB`;
    console.log(`    ${name}: ${verdict} ${ids}, ${text}`);
  }
  const right = run.apps.filter((app) => isAsPlanned(app, plan)).length;
  figure("whole suite: verdicts equal to the plan", `${right}`, `${chosen.length}`, right === chosen.length);
  figure("whole suite: time", `${(run.duration / 60).toFixed(1)} min`);
}
