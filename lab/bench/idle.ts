// Measures what the daemon and its processes cost while no client watches: standing still, while an app moves the robot, asleep.
import { setTimeout as sleep } from "node:timers/promises";
import { commandOf } from "../../common/machine/process-table.ts";
import { startDaemon, until } from "./daemon.ts";
import { figure, section } from "./figures.ts";
import { measureMessageFloor } from "./message-floor.ts";
import { processTree } from "./processes.ts";

const SECONDS = 30;
/** Time for compilers and imports to finish and for the robot to stand still. */
const SETTLE_MS = 10_000;

/** CPU seconds of every process of a tree, by pid. */
const cpuSeconds = (pid: number) => new Map(processTree(pid).map((entry) => [entry.pid, entry.cpuSeconds]));

/**
 * Percent of one core that a process and its descendants use over 30 s, and those of them that are Python: an app.
 * It is CPU time, which other work on the machine hardly changes.
 */
async function corePercents(pid: number) {
  const before = cpuSeconds(pid);
  const began = performance.now();
  await sleep(1000 * SECONDS);
  const after = cpuSeconds(pid);
  const seconds = (performance.now() - began) / 1000;
  const used = { ours: 0, python: 0 };
  for (const [child, cpu] of after) {
    const isPython = /python/.test(commandOf(child)[0] ?? "");
    used[isPython ? "python" : "ours"] += (100 * (cpu - (before.get(child) ?? 0))) / seconds;
  }
  return used;
}

/** The engine's part of the physics in real time, percent of a core. */
async function physicsPercent() {
  const { measureSweep } = await import("../../sim/physics/testing/measure.ts");
  await measureSweep(() => performance.now());
  return 100 / (await measureSweep(() => performance.now())).timesRealTime;
}

const printPercent = (what: string, percent: number, target: number) =>
  figure(what, `${percent.toFixed(1)} % of a core`, `<= ${target} %`, percent <= target);

/** @param dataFolder with the test apps installed */
export async function benchIdle(dataFolder: string) {
  section("Idle (all processes together, over 30 s)");
  const daemon = await startDaemon(dataFolder);
  try {
    await daemon.awake();
    await sleep(SETTLE_MS);
    printPercent("awake, at rest", (await corePercents(daemon.pid)).ours, 4);
    await daemon.post("/api/apps/start-app/steady_app");
    await daemon.appIs(["running"], 30_000);
    await sleep(SETTLE_MS);
    const { ours, python } = await corePercents(daemon.pid);
    printPercent("while an app moves the robot at 50 Hz", ours, 8);
    figure("  the app's own Python", `${python.toFixed(1)} % of a core`);
    await daemon.post("/api/apps/stop-current-app");
    await sleep(SETTLE_MS);
    await daemon.post("/api/move/play/goto_sleep");
    await until("the robot sleeps", 30_000, async () => (await daemon.get("/api/motors/status")).mode === "disabled");
    await sleep(SETTLE_MS);
    printPercent("asleep", (await corePercents(daemon.pid)).ours, 1);
    await daemon.stop();
    const messages = await measureMessageFloor(async (pid) => (await corePercents(pid)).ours);
    const floor = messages + (await physicsPercent());
    figure("  floor at 50 Hz: bare messages and physics", `${floor.toFixed(1)} % of a core`);
    figure("  at 50 Hz, times the floor", (ours / floor).toFixed(2), "<= 1.3", ours <= 1.3 * floor);
  } finally {
    await daemon.stop();
  }
}
