import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { freePort } from "../../runner/ports.ts";

const PROGRAMS = ["redis-server", "valkey-server"];

/** The installed Redis or Valkey; null when there is none. */
export function findRedisServer(): string | null {
  return PROGRAMS.find((name) => spawnSync(name, ["--version"]).status === 0) ?? null;
}

/** A Redis of a test's own, on a loopback port, with its data in a folder that is deleted at the end. */
export class TestRedis {
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;
  #child: ChildProcess | null = null;

  private constructor(port: number, folder: string) {
    this.#port = port;
    this.#folder = folder;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** @throws Error when redis-server is not installed */
  static async start(): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), await mkdtemp(join(tmpdir(), "robot-redis-")));
    await redis.restart();
    return redis;
  }

  /** Starts it again with the data that it has written. */
  async restart(): Promise<void> {
    const program = findRedisServer();
    if (program === null) throw new Error("redis-server is missing: apt install redis-server");
    const args = ["--port", String(this.#port), "--bind", "127.0.0.1", "--dir", this.#folder, "--save", ""];
    const child = spawn(program, [...args, "--appendonly", "yes"], { stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    this.#child = child;
    await waitFor(DEADLINE_MS, "Redis accepts connections", () => /Ready to accept connections/.test(output));
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
