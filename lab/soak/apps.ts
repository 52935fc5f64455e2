// Starts and stops an app many times: processes, descriptors, ports, files and memory must not grow.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { TEST_DATA } from "../../scripts/setup/test-apps.mjs";
import { type Daemon, startDaemon } from "../bench/daemon.ts";
import { figure, section } from "../bench/figures.ts";
import { processTree, proportionalMegabytes } from "../bench/processes.ts";

const APP = "steady_app";
/** Cycles before the first measurement, to fill caches. */
const WARM_UP_CYCLES = 25;
/** Megabytes of garbage that may remain. */
const SLACK_MB = 12;
const SAMPLES = 10;

function descriptors(pid: number) {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)];
    } catch {
      return [];
    }
  });
}

/** Inodes of listening sockets, from /proc/net/tcp; proc(5), state 0A. */
function listeningSockets() {
  const lines = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) => readFileSync(file, "utf8").trim().split("\n"));
  return new Set(
    lines
      .map((line) => line.trim().split(/\s+/))
      .filter((f) => f[3] === "0A")
      .map((f) => `socket:[${f[9]}]`),
  );
}

/** @param pid the daemon */
function countResources(pid: number) {
  const pids = processTree(pid).map((entry) => entry.pid);
  const open = pids.flatMap(descriptors);
  const ports = listeningSockets();
  return {
    processes: pids.length,
    descriptors: open.length,
    ports: open.filter((name) => ports.has(name)).length,
    files: readdirSync(tmpdir()).filter((name) => /^robot|^app-/.test(name)).length + readdirSync(TEST_DATA).length,
    megabytes: pids.reduce((sum, one) => sum + proportionalMegabytes(one), 0),
  };
}

async function cycle(daemon: Daemon) {
  const started = await daemon.post(`/api/apps/start-app/${APP}`);
  if (!started.ok) throw new Error(`the start was answered with ${started.status}: ${await started.text()}`);
  await daemon.appIs(["running"], 20_000);
  const stopped = await daemon.post("/api/apps/stop-current-app");
  if (!stopped.ok) throw new Error(`the stop was answered with ${stopped.status}: ${await stopped.text()}`);
  await daemon.appIs(["done"], 20_000);
}

export async function soakApps(cycles: number) {
  section(`Apps: ${cycles} starts and stops`);
  const daemon = await startDaemon(TEST_DATA);
  try {
    await daemon.awake();
    for (let round = 0; round < WARM_UP_CYCLES; round += 1) await cycle(daemon);
    const before = countResources(daemon.pid);
    const began = performance.now();
    const every = Math.max(1, Math.floor(cycles / SAMPLES));
    for (let round = 1; round <= cycles; round += 1) {
      await cycle(daemon);
      if (round % every !== 0) continue;
      const { processes, descriptors: open, megabytes } = countResources(daemon.pid);
      console.log(`  after ${round}: ${processes} processes, ${open} descriptors, ${megabytes.toFixed(0)} MB`);
    }
    const seconds = (performance.now() - began) / 1000 / cycles;
    const after = countResources(daemon.pid);
    figure("a start and a stop", `${seconds.toFixed(2)} s`);
    for (const what of ["processes", "descriptors", "ports", "files"] as const) {
      figure(what, `${before[what]} before, ${after[what]} after`, "no more", after[what] <= before[what]);
    }
    const growth = after.megabytes - before.megabytes;
    const memory = `${before.megabytes.toFixed(0)} MB before, ${after.megabytes.toFixed(0)} MB after`;
    figure("memory of all processes", memory, `at most +${SLACK_MB} MB`, growth <= SLACK_MB);
  } finally {
    const code = await daemon.stop();
    figure("exit code of the daemon", `${code}`, "0", code === 0);
  }
}
