// What attacks share: clients that misbehave, and measurements of the daemon's main process.
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import WebSocket from "ws";
import { median } from "../bench/figures.mjs";
import { processTree } from "../bench/memory.mjs";

/** @param {number} ms @returns {Promise<void>} */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resident memory of a process. @param {number} pid @returns {number} megabytes */
export const residentMegabytes = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Open descriptors of a process. @param {number} pid @returns {number} */
export const countDescriptors = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/** Milliseconds that a promise takes. @param {() => Promise<unknown>} work @returns {Promise<number>} */
export async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The process of the daemon that drives the robot. @param {number} pid @returns {Promise<number | undefined>} */
export const robotProcessOf = async (pid) =>
  (await commandLines(pid)).find(({ words }) => words.includes("robot-process/main.js"))?.pid;

/**
 * Measures the memory of the daemon's two processes, and how long health checks take in milliseconds, for some seconds.
 * @param {{ url: string, pid: number }} daemon
 * @param {number} seconds
 */
export async function measureDaemon({ url, pid }, seconds) {
  const main = new MemoryCurve(pid);
  const robot = new MemoryCurve((await robotProcessOf(pid)) ?? pid);
  const latencies = [];
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1000);
    latencies.push(await timed(() => fetch(`${url}/healthz`).then((response) => response.text())));
    for (const curve of [main, robot]) curve.sample();
  }
  return { main, robot, slowest: Math.max(...latencies) };
}

/**
 * Reports whether the memory of a process stayed bounded during an attack.
 * @param {import("./attack.mjs").Row} row
 * @param {string} what the process
 * @param {{ growth: number, lateGrowth: number }} memory from `measureDaemon`
 */
export function reportMemory(row, what, { growth, lateGrowth }) {
  row(`memory of ${what}`, `+${growth.toFixed(0)} MB`, "at most +80 MB", growth <= 80);
  const late = `+${lateGrowth.toFixed(0)} MB`;
  row("its growth from the first half to the second", late, "flat: at most +20 MB", lateGrowth <= 20);
}

/**
 * Measures the daemon's main process until it is stopped: its memory, and health checks one after another.
 * @param {{ url: string, pid: number }} daemon
 * @returns {Promise<() => Promise<{ growth: number, slowest: number }>>} resolves after the first check; ends it: megabytes at
 *   the peak and milliseconds, infinite when a check was refused
 */
export async function watchDaemon({ url, pid }) {
  const memory = new MemoryCurve(pid);
  const sampling = setInterval(() => existsSync(`/proc/${pid}`) && memory.sample(), 20);
  const health = new Worker(new URL("watch-health.mjs", import.meta.url), { workerData: url });
  await once(health, "message");
  return async () => {
    health.postMessage("stop");
    const [slowest] = await once(health, "message");
    clearInterval(sampling);
    return { growth: memory.growth, slowest };
  };
}

/**
 * Reports what `watchDaemon` measured.
 * @param {import("./attack.mjs").Row} row
 * @param {{ growth: number, slowest: number }} seen
 * @param {number} [most] megabytes
 */
export function reportWatch(row, { growth, slowest }, most = 80) {
  row("memory of the main process", `+${growth.toFixed(0)} MB`, `at most +${most} MB`, growth <= most);
  row("slowest health check", `${slowest.toFixed(0)} ms`, "at most 1000 ms", slowest <= 1000);
}

/** Processor time of a process so far. @param {number} pid @returns {number} seconds */
export function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The log of an app of that name has 5,000 lines, 3.6 MB. */
export const LONG_LOG = "attacked_app";
export const GET_LONG_LOG = `GET /api/apps/logs/${LONG_LOG}?lines=5000 HTTP/1.1\r\nhost: localhost\r\n\r\n`;

/** Writes that log. @param {string} dataDir @returns {() => void} removes it */
export function writeLongLog(dataDir) {
  const line = `2026-01-01T00:00:00.000Z stdout ${"x".repeat(670)}\n`;
  mkdirSync(join(dataDir, "logs"), { recursive: true });
  const files = ["", ".1", ".2", ".3"].map((age) => join(dataDir, "logs", `${LONG_LOG}.log${age}`));
  for (const file of files) writeFileSync(file, line.repeat(1400));
  return () => {
    for (const file of files) rmSync(file, { force: true });
  };
}

/** Opens connections that send a text and read nothing. @param {string} url @param {number} count @param {string} text */
export const openUnread = (url, count, text) => Array.from({ length: count }, () => openConnection(url, text).pause());

/** Resident memory of a process over time, megabytes. */
class MemoryCurve {
  /** @param {number} pid */
  constructor(pid) {
    this.pid = pid;
    this.samples = [residentMegabytes(pid)];
  }

  sample() {
    this.samples.push(residentMegabytes(this.pid));
  }

  get growth() {
    return Math.max(...this.samples) - (this.samples[0] ?? 0);
  }

  /** Growth between the middles of both halves, as medians: near 0 when memory is bounded, whatever garbage comes and goes. */
  get lateGrowth() {
    const half = Math.floor(this.samples.length / 2);
    return median(this.samples.slice(half)) - median(this.samples.slice(Math.floor(half / 2), half));
  }
}

/** Opens a WebSocket of the daemon. @param {string} url @param {string} path @returns {Promise<WebSocket>} */
export function openSocket(url, path) {
  const socket = new WebSocket(url.replace("http", "ws") + path);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    // A connection that the daemon cuts off ends with an error.
    socket.on("error", reject);
  });
}

/**
 * Sends a message over and over until the time is over or the connection closed, as fast as the daemon takes it.
 * @param {WebSocket} socket
 * @param {unknown} message
 * @param {number} seconds
 * @returns {Promise<number>} messages per second
 */
export async function flood(socket, message, seconds) {
  const text = JSON.stringify(message);
  const end = performance.now() + seconds * 1000;
  let count = 0;
  while (performance.now() < end && socket.readyState === WebSocket.OPEN) {
    for (let i = 0; i < 200 && socket.bufferedAmount < 1_000_000; i += 1, count += 1) socket.send(text);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return count / seconds;
}

/** Opens a TCP connection to the daemon. @param {string} url @param {string} [text] sent immediately */
export function openConnection(url, text = "") {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  socket.on("error", () => {});
  return socket;
}

/** Sends bytes as they are; resolves with the first bytes of the answer. @param {string} url @param {string} text */
export const sendRaw = (url, text) =>
  new Promise((resolve, reject) => {
    const socket = openConnection(url, text);
    socket.once("data", (data) => {
      resolve(String(data));
      socket.destroy();
    });
    socket.once("close", () => reject(new Error("the connection closed without an answer")));
  });

/** The processes of the daemon with their command lines. @param {number} pid */
export async function commandLines(pid) {
  return (await processTree(pid)).map((one) => ({
    pid: one,
    words: readFileSync(`/proc/${one}/cmdline`, "utf8").replaceAll("\0", " "),
  }));
}
