// Measures what the daemon and its processes cost while nobody watches: at rest, while an app moves the robot, asleep.

import { built } from "../setup/built.mjs";
import { startDaemon, until } from "./daemon.mjs";
import { figure, section } from "./figures.mjs";

const SECONDS = 30;
/** Until compilers and imports have finished and the robot rests. */
const SETTLE_MS = 10_000;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** CPU seconds of every process of a tree, by pid. @param {number} pid @returns {Promise<Map<number, number>>} */
async function cpuSeconds(pid) {
  const { ProcessTable } = await built("common/machine/process-table.js");
  /** @type {{ pid: number, cpuSeconds: number }[]} */
  const entries = ProcessTable.readSync().treeOf(pid);
  return new Map(entries.map((entry) => [entry.pid, entry.cpuSeconds]));
}

/** Percent of one core that a process and its descendants use over 30 s; CPU time, so that other work disturbs little. @param {number} pid */
async function corePercent(pid) {
  const before = await cpuSeconds(pid);
  const began = performance.now();
  await pause(1000 * SECONDS);
  const after = await cpuSeconds(pid);
  const seconds = (performance.now() - began) / 1000;
  let used = 0;
  for (const [child, cpu] of after) used += cpu - (before.get(child) ?? 0);
  return (100 * used) / seconds;
}

/** @param {string} what @param {number} percent @param {number} target */
const printPercent = (what, percent, target) =>
  figure(what, `${percent.toFixed(1)} % of a core`, `<= ${target} %`, percent <= target);

/** @param {string} dataFolder with the test apps installed */
export async function benchIdle(dataFolder) {
  section("Idle (all processes together, over 30 s)");
  const daemon = await startDaemon(dataFolder);
  try {
    await daemon.awake();
    await pause(SETTLE_MS);
    printPercent("awake, at rest", await corePercent(daemon.pid), 4);
    await daemon.post("/api/apps/start-app/steady_app");
    await until(
      "the app runs",
      30_000,
      async () => (await daemon.get("/api/apps/current-app-status"))?.state === "running",
    );
    await pause(SETTLE_MS);
    printPercent("while an app moves the robot at 50 Hz", await corePercent(daemon.pid), 8);
    await daemon.post("/api/apps/stop-current-app");
    await pause(SETTLE_MS);
    await daemon.post("/api/move/play/goto_sleep");
    await until("the robot sleeps", 30_000, async () => (await daemon.get("/api/motors/status")).mode === "disabled");
    await pause(SETTLE_MS);
    printPercent("asleep", await corePercent(daemon.pid), 1);
  } finally {
    await daemon.stop();
  }
}
