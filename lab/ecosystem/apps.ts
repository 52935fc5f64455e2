// Apps of the public dialect: installed by URL from the development hub, started, seen to move, stopped, returned.
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "../../scripts/setup/steps.mjs";
import { type Daemon, until } from "../bench/daemon.ts";
import { section } from "../bench/figures.ts";
import { jobEnd } from "../soak/install-tools.ts";
import { VENV } from "./public-sdk.ts";
import { row } from "./table.ts";

/** In the development hub's seed `fixtures/ecosystem`. */
export const APPS = ["antenna-clock", "slow_dancer", "own_runner", "small_talk", "step-counter"];
const OWNER = "neighbour";
/** Hears the voice of the robot's microphone, and answers it. */
const TALKS = "small_talk";
/** The app that the SDK's own assistant creates. */
const TEMPLATE = "wave_around";
const CREATED = resolve("artifacts/ecosystem/created");

const INSTALL_MS = 300_000;
const START_MS = 90_000;
/** Radians that count as a movement, and as being back. */
const MOVED = 0.03;
const BACK = 0.06;
/** The loudest sample of an answer, of 1. */
const SPOKEN = 0.1;

export async function runApps(daemon: Daemon, hubUrl: string) {
  section("Apps: install by URL, start, move, stop, return");
  for (const app of APPS) await row(app, () => runOne(daemon, `${hubUrl}/spaces/${OWNER}/${app}`, app));
  await row(`${TEMPLATE} (the SDK's own template)`, async () => runOne(daemon, await createTemplate(), TEMPLATE));
}

/** The folder of an app that the SDK's assistant creates. */
export async function createTemplate() {
  rmSync(CREATED, { recursive: true, force: true });
  await run("mkdir", ["-p", CREATED]);
  await run(`${VENV}/bin/reachy-mini-app-assistant`, ["create", TEMPLATE, CREATED]);
  return `${CREATED}/${TEMPLATE}`;
}

/** @returns what was seen */
async function runOne(daemon: Daemon, url: string, name: string): Promise<string> {
  const installed = await daemon.post("/api/apps/install", { url });
  if (!installed.ok) throw new Error(`install: ${await installed.text()}`);
  const { job_id } = (await installed.json()) as { job_id: string };
  const job = await jobEnd(daemon, job_id, INSTALL_MS);
  if (job.status !== "done") throw new Error(`install: ${job.error}`);
  if (job.result.extra.dialect !== "reachy_mini") throw new Error(`its dialect is ${job.result.extra.dialect}`);
  // Whatever moved the robot before, it begins in its default pose.
  await daemon.post("/api/move/play/wake_up");
  await daemon.awake();
  const rest = await joints(daemon);
  const began = performance.now();
  const started = await daemon.post(`/api/apps/start-app/${name}`);
  if (!started.ok) throw new Error(`start: ${await started.text()}`);
  await until(`${name} moves the robot`, START_MS, async () => {
    const status = await daemon.get("/api/apps/current-app-status");
    if (status.state === "error") throw new Error(status.error);
    return farthest(await joints(daemon), rest) > MOVED;
  }).catch(async (error) => {
    await daemon.post("/api/apps/stop-current-app");
    throw error;
  });
  const moved = performance.now() - began;
  const talked = name === TALKS ? await conversation(daemon) : "";
  const { state } = await daemon.get("/api/apps/current-app-status");
  const stopping = performance.now();
  const stopped = await daemon.post("/api/apps/stop-current-app");
  if (!stopped.ok) throw new Error(`stop: ${await stopped.text()}`);
  const ended = await until("it has ended", START_MS, async () => {
    const status = await daemon.get("/api/apps/current-app-status");
    return (status === null || ["done", "error"].includes(status.state)) && (status ?? { state: "done" });
  });
  if (ended.state !== "done") throw new Error(`it ended with ${ended.state}: ${ended.error}`);
  const stop = performance.now() - stopping;
  await until(
    "the robot is back in its default pose",
    START_MS,
    async () => farthest(await joints(daemon), rest) < BACK,
  );
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return `moved ${seconds(moved)} after the start (${state})${talked}, ended ${seconds(stop)} after the stop, returned`;
}

/** What an app says and hears: its log has the answer, and the speaker plays it. */
async function conversation(daemon: Daemon) {
  const socket = await daemon.socket("/ws/audio");
  let loudest = 0;
  socket.send('{"type": "listen", "track": "speaker", "on": true}');
  socket.on("message", (data, isBinary) => {
    if (!isBinary || !Buffer.isBuffer(data)) return;
    for (let at = 2; at < data.length; at += 2) loudest = Math.max(loudest, Math.abs(data.readInt16LE(at)) / 32_768);
  });
  try {
    await until("the app speaks on the robot's speaker", START_MS, () => loudest > SPOKEN);
    const lines = await daemon.get(`/api/apps/logs/${TALKS}`);
    const heard = /heard [\d.]+ s of speech/.exec(JSON.stringify(lines))?.[0];
    if (heard === undefined) throw new Error("it spoke without having heard anything");
    return `, ${heard}, answered (${loudest.toFixed(2)})`;
  } finally {
    socket.close();
  }
}

/** @returns radians */
async function joints(daemon: Daemon): Promise<number[]> {
  const { head_joints, antennas_position } = await daemon.get("/api/state/full");
  return [...head_joints, ...antennas_position];
}

const farthest = (one: number[], other: number[]) =>
  Math.max(...one.map((angle, index) => Math.abs(angle - (other[index] ?? 0))));
