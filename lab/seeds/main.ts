import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { runSeed, type SeedRun, shorten } from "./run-seed.ts";

/** Every tenth seed moves the robot in the physics engine. */
const PHYSICS_EVERY = 10;
/** Runs after which the progress is printed. */
const PROGRESS_EVERY = 100;
/** Failing seeds whose scripts are shortened. */
const MAX_SHORTENED = 3;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    keep: { type: "string" },
    physics: { type: "boolean", default: false },
    "fail-fast": { type: "boolean", default: false },
    jobs: { type: "string", default: String(availableParallelism()) },
    /** Which of the jobs this process is. */
    job: { type: "string" },
  },
});
const [count, from, jobs] = [values.count, values.from, values.jobs].map(Number) as [number, number, number];
const hasPhysics = (seed: number): boolean => values.physics || seed % PHYSICS_EVERY === 0;

type Result = Pick<SeedRun, "seed" | "digest" | "violations" | "simulatedMs"> & { wallMs: number; cpuMs: number };

/** Runs the seeds of one job, and sends their results to the process that asked. */
async function runJob(job: number): Promise<void> {
  for (let seed = from; seed < from + count; seed += 1) {
    // Each job gets as many seeds with the physics engine.
    if ((seed + Math.floor(seed / PHYSICS_EVERY)) % jobs !== job) continue;
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    const { digest, violations, simulatedMs } = await runSeed(seed, { physics: hasPhysics(seed) });
    const { user, system } = process.cpuUsage(cpu);
    const [wallMs, cpuMs] = [performance.now() - began, (user + system) / 1000];
    const result: Result = { seed, digest, violations, simulatedMs, wallMs, cpuMs };
    process.send?.(result);
  }
  process.disconnect();
}

async function runAll(): Promise<void> {
  const results: Result[] = [];
  const began = performance.now();
  const children = Array.from({ length: jobs }, (_, job) => {
    const child = fork(process.argv[1] ?? "", [...process.argv.slice(2), "--job", String(job)]);
    child.on("message", (result: Result) => {
      results.push(result);
      if (results.length % PROGRESS_EVERY === 0 && results.length < count)
        console.error(`${results.length} of ${count}`);
      for (const violation of result.violations) console.log(`seed ${result.seed}: ${violation}`);
      if (values["fail-fast"] && result.violations.length > 0) for (const each of children) each.kill();
    });
    return child;
  });
  const codes = (await Promise.all(children.map((child) => once(child, "exit")))).map(([code]) => code);
  const seconds = (performance.now() - began) / 1000;
  results.sort((one, other) => one.seed - other.seed);
  const failed = results.filter(({ violations }) => violations.length > 0);
  const sum = (of: readonly Result[], what: "simulatedMs" | "wallMs" | "cpuMs") =>
    of.reduce((all, each) => all + each[what], 0);
  const digest = createHash("sha256")
    .update(results.map((result) => result.digest).join())
    .digest("hex")
    .slice(0, 16);
  const simulated = sum(results, "simulatedMs") / 1000;
  console.log(`${results.length} runs of ${count}, ${failed.length} with violations, digest ${digest}`);
  const hours = (simulated / 3600 / seconds).toFixed(3);
  console.log(
    `${(simulated / 3600).toFixed(1)} h simulated in ${seconds.toFixed(0)} s by ${jobs} processes: ${hours} h/s`,
  );
  for (const [name, physics] of [
    ["ideal joints", false],
    ["physics", true],
  ] as const) {
    const of = results.filter(({ seed }) => hasPhysics(seed) === physics);
    const times = (per: number) => `${(sum(of, "simulatedMs") / per).toFixed(0)} times`;
    const [wall, cpu] = [times(sum(of, "wallMs") / jobs), times(sum(of, "cpuMs"))];
    if (of.length > 0) console.log(`${name}: ${wall} real time, ${cpu} the processor's time of one process`);
  }
  if (!values["fail-fast"]) for (const { seed } of failed.slice(0, MAX_SHORTENED)) await explain(seed);
  process.exitCode = failed.length === 0 && results.length === count && codes.every((code) => code === 0) ? 0 : 1;
}

/** Prints the shortest script of a seed that still violates something, and how to run it. */
async function explain(seed: number): Promise<void> {
  const physics = hasPhysics(seed);
  const whole = await runSeed(seed, { physics });
  const fails = async (keep: number[]) => (await runSeed(seed, { physics, keep })).violations.length > 0;
  const kept = await shorten([...whole.steps.keys()], fails);
  console.log(`\nseed ${seed}, ${kept.length} of ${whole.steps.length} steps:`);
  for (const step of kept) console.log(`  ${whole.steps[step]}`);
  console.log(`npm run lab -- seeds --seed ${seed} --keep ${kept.join(",")}${values.physics ? " --physics" : ""}`);
}

async function runOne(seed: number): Promise<void> {
  const keep = values.keep === undefined ? {} : { keep: values.keep.split(",").filter(Boolean).map(Number) };
  const { lines, digest, violations } = await runSeed(seed, { physics: hasPhysics(seed), ...keep });
  console.log(lines.join("\n"));
  for (const violation of violations) console.log(`violated: ${violation}`);
  console.log(`digest ${digest}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

if (values.seed !== undefined) await runOne(Number(values.seed));
else if (values.job !== undefined) await runJob(Number(values.job));
else await runAll();
