// What attacks share: clients that misbehave, and measurements of the daemon's main process.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import WebSocket from "ws";
import type { Daemon } from "../bench/daemon.ts";
import { median } from "../bench/figures.ts";
import { residentMegabytes, robotProcessOf } from "../bench/processes.ts";
import type { Row } from "./attack.ts";

type Target = Pick<Daemon, "url" | "pid">;

interface Watched {
  /** Megabytes at the peak beyond the beginning. */
  growth: number;
  /** Milliseconds of a health check; infinite when one was refused. */
  slowest: number;
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds that a promise takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Measures the memory of the daemon's two processes, and how long health checks take in milliseconds, for some seconds. */
export async function measureDaemon({ url, pid }: Target, seconds: number) {
  const main = new MemoryCurve(pid);
  const robot = new MemoryCurve(robotProcessOf(pid));
  const latencies = [];
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1000);
    latencies.push(await timed(() => fetch(`${url}/healthz`).then((response) => response.text())));
    for (const curve of [main, robot]) curve.sample();
  }
  return { main, robot, growth: main.growth, slowest: Math.max(...latencies) };
}

/**
 * Reports whether the memory of a process stayed bounded during an attack.
 * @param memory from `measureDaemon`
 */
export function reportMemory(row: Row, what: string, { growth, lateGrowth }: { growth: number; lateGrowth: number }) {
  row(`memory of ${what}`, `+${growth.toFixed(0)} MB`, "at most +80 MB", growth <= 80);
  const late = `+${lateGrowth.toFixed(0)} MB`;
  row("its growth from the first half to the second", late, "flat: at most +20 MB", lateGrowth <= 20);
}

/**
 * Measures the daemon's main process until it is stopped: its memory, and health checks one after another.
 * @returns after the first check, what ends it
 */
export async function watchDaemon({ url, pid }: Target): Promise<() => Promise<Watched>> {
  const memory = new MemoryCurve(pid);
  // A process of its own, because tsx does not load the modules of worker threads in Node 20.
  const health = fork(join(import.meta.dirname, "watch-health.ts"), [url], { serialization: "advanced" });
  const ended = once(health, "exit").then(([code]) => Promise.reject(new Error(`watch-health.ts ended with ${code}`)));
  await Promise.race([once(health, "message"), ended]);
  const sampling = setInterval(() => existsSync(`/proc/${pid}`) && memory.sample(), 20).unref();
  // An attack that fails does not end them; the process that watches ends with this one.
  health.unref();
  health.channel?.unref();
  return async () => {
    health.send("stop");
    const [slowest] = await Promise.race([once(health, "message"), ended]);
    clearInterval(sampling);
    return { growth: memory.growth, slowest };
  };
}

/** Reports how much the main process grew, and the slowest health check. @param most megabytes */
export function reportWatch(row: Row, { growth, slowest }: Watched, most = 80) {
  row("memory of the main process", `+${growth.toFixed(0)} MB`, `at most +${most} MB`, growth <= most);
  reportHealth(row, slowest);
}

/** @param slowest milliseconds of a health check */
export const reportHealth = (row: Row, slowest: number) =>
  row("slowest health check", `${slowest.toFixed(0)} ms`, "at most 1000 ms", slowest <= 1000);

/** The log of an app of that name has 5,000 lines, 3.6 MB. */
const LONG_LOG = "attacked_app";

/** Writes that log. @returns what removes it */
export function writeLongLog(dataDir: string): () => void {
  const line = `2026-01-01T00:00:00.000Z stdout ${"x".repeat(670)}\n`;
  mkdirSync(join(dataDir, "logs"), { recursive: true });
  const files = ["", ".1", ".2", ".3"].map((age) => join(dataDir, "logs", `${LONG_LOG}.log${age}`));
  for (const file of files) writeFileSync(file, line.repeat(1400));
  return () => {
    for (const file of files) rmSync(file, { force: true });
  };
}

/** The text of a request. @param path with the query */
export function getRequest(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
}

/** Opens connections that send a text and read nothing. */
export const openUnread = (url: string, count: number, text: string) =>
  Array.from({ length: count }, () => openTcpConnection(url, text).pause());

/** Resident memory of a process over time, megabytes. */
class MemoryCurve {
  readonly #pid: number;
  readonly #samples: number[];

  constructor(pid: number) {
    this.#pid = pid;
    this.#samples = [residentMegabytes(pid)];
  }

  sample() {
    this.#samples.push(residentMegabytes(this.#pid));
  }

  get growth() {
    return Math.max(...this.#samples) - (this.#samples[0] ?? 0);
  }

  /** Growth between the middles of both halves, as medians: near 0 when memory is bounded, whatever garbage comes and goes. */
  get lateGrowth() {
    const half = Math.floor(this.#samples.length / 2);
    return median(this.#samples.slice(half)) - median(this.#samples.slice(Math.floor(half / 2), half));
  }
}

/**
 * Sends a message over and over until the time is over or the connection closed, as fast as the daemon takes it.
 * @returns messages per second
 */
export async function flood(socket: WebSocket, message: unknown, seconds: number): Promise<number> {
  const text = JSON.stringify(message);
  const end = performance.now() + seconds * 1000;
  let count = 0;
  while (performance.now() < end && socket.readyState === WebSocket.OPEN) {
    for (let i = 0; i < 200 && socket.bufferedAmount < 1_000_000; i += 1, count += 1) socket.send(text);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return count / seconds;
}

/** Opens a TCP connection to the daemon. @param text sent immediately */
export function openTcpConnection(url: string, text = "") {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  socket.on("error", () => {});
  return socket;
}
