// Measures the time from a start request to the first motion, and from SIGINT to the exit.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { commandOf, ProcessTable } from "../../common/machine/process-table.ts";
import { type Daemon, until } from "./daemon.ts";
import { floor } from "./dev.ts";
import { figure, median, quantile, section } from "./figures.ts";

const ROUNDS = 7;
const MOVED_RAD = 0.01;

interface MeasuredApp {
  app: string;
  /**
   * For its start with a waiting interpreter: a multiple of the floor; null for an app whose motion begins too slowly to measure
   * the start with it.
   */
  warmLimit: number | null;
}

/** The limit for the start of another app than the last one: a multiple of the floor. */
const COLD_LIMIT = 2.5;
/** Milliseconds from an app's first motion until the interpreter for its next start waits. */
const PREPARING_MS = 1500;

/** Milliseconds that a first motion may take on a loaded machine. */
const MOTION_MS = 60_000;

/** Milliseconds from the start request until a servo has moved. */
async function firstMotion(daemon: Daemon, app: string) {
  const socket = await daemon.socket("/ws/sdk");
  let initialJoints: number[] | undefined;
  let movedAt: number | undefined;
  socket.on("message", (data) => {
    const message = JSON.parse(String(data));
    if (message.type !== "joint_positions") return;
    const joints = [...message.head_joint_positions, ...message.antennas_joint_positions];
    initialJoints ??= joints;
    if (joints.some((angle, i) => Math.abs(angle - (initialJoints?.[i] ?? 0)) > MOVED_RAD))
      movedAt ??= performance.now();
  });
  await until("the first state", 5000, () => initialJoints);
  const began = performance.now();
  await daemon.post(`/api/apps/start-app/${app}`);
  // An app whose page finds its port taken never moves.
  const at = await until(`the first motion of ${app}`, MOTION_MS, () => movedAt);
  socket.close();
  return at - began;
}

function appProcess(app: string): number | undefined {
  const pids = ProcessTable.readSync().entries.map(({ pid }) => pid);
  // The newest one is the interpreter that waits for the next start.
  return pids.filter((pid) => commandOf(pid).join(" ").includes(` -m ${app}.main`)).sort((a, b) => a - b)[0];
}

/** Milliseconds from SIGINT to the end of the process. */
async function sigintToExit(daemon: Daemon, app: string) {
  await daemon.post(`/api/apps/start-app/${app}`);
  await daemon.appIs(["running"], 10_000);
  const pid = await until("the app's process", 1000, () => appProcess(app));
  await sleep(300);
  const began = performance.now();
  process.kill(pid, "SIGINT");
  while (true) {
    try {
      if (/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) break;
    } catch {
      break;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  const took = performance.now() - began;
  await daemon.appIs(["done"], 10_000);
  return took;
}

/** Runs an app until it has moved the robot and the interpreter for its next start waits. */
async function runOnce(daemon: Daemon, app: string) {
  const took = await firstMotion(daemon, app);
  await sleep(PREPARING_MS);
  await daemon.post("/api/apps/stop-current-app");
  return took;
}

/** Start request to first motion, for a start of another app than the last one, and for a start of the same one. */
async function benchStart(daemon: Daemon, python: string, { app, warmLimit }: MeasuredApp, other: string) {
  const [floors, cold, warm] = [[], [], []].map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round += 1) {
    floors?.push(await floor(python));
    await runOnce(daemon, other);
    cold?.push(await runOnce(daemon, app));
    warm?.push(await runOnce(daemon, app));
  }
  const least = median(floors ?? []);
  for (const [what, times, limit] of [
    ["start request to first motion", cold, COLD_LIMIT],
    ["the same again", warm, warmLimit],
  ] as [string, number[], number | null][]) {
    const ratio = median(times) / least;
    const detail = `${median(times).toFixed(0)} ms = ${ratio.toFixed(2)} x the floor of ${least.toFixed(0)} ms`;
    if (limit === null) figure(`${what}, ${app}`, detail);
    else figure(`${what}, ${app}`, detail, `<= ${limit} x`, ratio <= limit);
  }
}

/** @param apps at least two */
export async function benchLifecycle(daemon: Daemon, python: string, apps: MeasuredApp[]) {
  section("App lifecycle");
  await floor(python);
  const names = apps.map(({ app }) => app);
  for (const measured of apps)
    await benchStart(daemon, python, measured, names.find((name) => name !== measured.app) ?? "");
  const exits = [];
  for (let round = 0; round < ROUNDS; round += 1) exits.push(await sigintToExit(daemon, names[0] ?? ""));
  figure(
    `SIGINT to exit, ${names[0]} (20 ms loop)`,
    `p50 ${median(exits).toFixed(0)} ms, max ${quantile(exits, 1).toFixed(0)} ms`,
    "p50 <= 50 ms",
    median(exits) <= 50,
  );
}
