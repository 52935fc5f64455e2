// The run over a queue: Redis, four workers and the run itself, one of which is killed every now and then.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../../conformance/runner/ports.ts";
import { until } from "../../bench/daemon.ts";
import { figure } from "../../bench/figures.ts";
import { residentMegabytes } from "../../bench/processes.ts";
import type { Programs } from "../programs.ts";
import { DEADLINE_S } from "./in-process.ts";
import { type Run, recordsIn } from "./result.ts";

const WORKERS = 4;
/** Apps that a worker certifies at a time: the four of all workers keep two cores busy. */
const CONCURRENCY = "1";
/** Milliseconds between two kills, from and to: several certifications of a worker end before it is killed. */
const KILL_MS = [40_000, 140_000] as const;

interface Options {
  folder: string;
  apps: string;
  store: string;
  redisServer: string;
  programs: Programs;
  random: () => number;
}

/** @returns redisBytes: the most memory of Redis */
export async function runWithKills(
  options: Options,
): Promise<{ run: Run; kills: Record<string, number>; redisBytes: number }> {
  const port = await freePort();
  const redis = new Redis(options, port);
  await redis.start();
  const queue = ["--queue", `redis://127.0.0.1:${port}`, "--store", options.store];
  const workers = new CatalogueWorkers(options.programs, queue);
  const startRun = () =>
    options.programs.assistant(["certify", "--catalogue", options.apps, "--tier", "short", "--json", ...queue]);
  let run = startRun();
  const began = performance.now();
  const kills = { workers: 0, Redis: 0, "the run": 0 };
  let redisBytes = 0;
  while ((await Promise.race([run.exit, randomPause(options.random)])) === "kill") {
    redisBytes = Math.max(redisBytes, redis.memoryBytes());
    const dice = options.random();
    if (dice < 0.7) {
      await workers.killOne(Math.floor(options.random() * WORKERS));
      kills.workers += 1;
    } else if (dice < 0.85) {
      await redis.end("SIGKILL");
      await redis.start();
      kills.Redis += 1;
    } else {
      run.child.kill("SIGKILL");
      await run.exit;
      run = startRun();
      kills["the run"] += 1;
    }
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    console.log(`  ${minutes} min: ${recordsIn(options.store).length} verdicts, kills: ${JSON.stringify(kills)}`);
  }
  if (run.output.out === "") throw new Error(`the run ended with ${run.child.exitCode}: ${run.output.err}`);
  await workers.drain();
  await redis.end("SIGTERM");
  const result = JSON.parse(run.output.out) as Run;
  return { run: { ...result, duration: (performance.now() - began) / 1000 }, kills, redisBytes };
}

function randomPause(random: () => number): Promise<"kill"> {
  const [from, to] = KILL_MS;
  return new Promise((resolve) => setTimeout(resolve, from + random() * (to - from), "kill"));
}

type Program = ReturnType<Programs["start"]>;

/** A Redis server whose data survive a kill. */
class Redis {
  #options;
  #port;
  #program: Program | null = null;

  constructor(options: Options, port: number) {
    this.#options = options;
    this.#port = port;
  }

  async start() {
    const { folder, programs, redisServer } = this.#options;
    const data = join(folder, "redis");
    mkdirSync(data, { recursive: true });
    const args = ["--port", `${this.#port}`, "--bind", "127.0.0.1", "--dir", data, "--save", "", "--appendonly", "yes"];
    const program = programs.start(redisServer, args);
    this.#program = program;
    await until("Redis is ready", 20_000, () => program.output.out.includes("Ready to accept connections"));
  }

  async end(signal: NodeJS.Signals) {
    this.#program?.child.kill(signal);
    await this.#program?.exit;
  }

  memoryBytes() {
    try {
      return 2 ** 20 * residentMegabytes(this.#program?.child.pid ?? 0) || 0;
    } catch {
      return 0;
    }
  }
}

/** The workers; one that ends by itself is counted and replaced. */
class CatalogueWorkers {
  #programs;
  #args;
  #ended = new Set();
  #selfEnded = 0;
  #running: Program[];

  /** @param queue options of the queue and the store */
  constructor(programs: Programs, queue: string[]) {
    this.#programs = programs;
    this.#args = ["worker", "--concurrency", CONCURRENCY, "--app-deadline", DEADLINE_S, ...queue];
    this.#running = Array.from({ length: WORKERS }, () => this.#start());
  }

  #start() {
    const worker = this.#programs.assistant(this.#args);
    worker.exit.then((code) => {
      if (this.#ended.has(worker)) return;
      this.#selfEnded += 1;
      console.log(`  a worker ended with ${code ?? worker.child.signalCode}: ${worker.output.err}`);
      this.#running[this.#running.indexOf(worker)] = this.#start();
    });
    return worker;
  }

  async killOne(index: number) {
    await this.#end(this.#running[index], "SIGKILL");
    this.#running[index] = this.#start();
  }

  /** Ends all workers as a machine that is shut down does, and prints how they ended. */
  async drain() {
    const codes = await Promise.all(this.#running.map((worker) => this.#end(worker, "SIGTERM")));
    const areDrained = codes.every((code) => code === 0);
    figure("exit codes of drained workers", codes.join(", "), "0", areDrained);
    figure("workers that ended by themselves", `${this.#selfEnded}`, "0", this.#selfEnded === 0);
  }

  async #end(worker: Program | undefined, signal: NodeJS.Signals) {
    this.#ended.add(worker);
    worker?.child.kill(signal);
    return worker?.exit;
  }
}
