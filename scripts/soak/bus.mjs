// The control loop over a real tty with a bad wire: moves for minutes, loses its robot once, and must neither crash nor
// move the robot wrongly.
import { once } from "node:events";
import WebSocket from "ws";
import { startDaemon, until } from "../bench/daemon.mjs";
import { figure, quantile, section } from "../bench/figures.mjs";
import { proportionalMegabytes } from "../bench/memory.mjs";
import { startRobotSim } from "../bench/robot-sim.mjs";
import { TEST_DATA } from "../setup/test-apps.mjs";

const BAD_WIRE = ["--fault", "corrupt:rate=0.01", "--fault", "drop:rate=0.01"];
const PERIOD_MS = 10;
/** Milliseconds by which a simulated joint may lag behind its goals on a machine that is too slow for a while. */
const LAG_MS = 1500;
/** Radians that a joint may be beside everything that it was sent to within the lag. */
const MOST_ASTRAY = 0.05;
/** rad/s: the slowest of the legs' and antennas' limits. The movement itself stays below 1. */
const MOST_SPEED = 8;
const UNPLUGGED_SECONDS = 2;

/** A head that nods, turns and bobs, as the target of a moment. @param {number} t seconds */
function targetAt(t) {
  const [yaw, pitch] = [0.3 * Math.sin(1.1 * t), 0.15 * Math.sin(1.7 * t)];
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const z = 0.006 * Math.sin(2.3 * t);
  const head = [cy * cp, -sy, cy * sp, 0, sy * cp, cy, sy * sp, 0, -sp, 0, cp, z, 0, 0, 0, 1];
  return { type: "set_full_target", head, antennas: [-0.6 * Math.sin(t), 0.6 * Math.sin(t)], body_yaw: null };
}

/** @param {string} url */
async function open(url) {
  const socket = new WebSocket(url);
  await once(socket, "open");
  return socket;
}

/** @param {{ headJoints: number[], antennas: number[] }} part */
const nine = ({ headJoints, antennas }) => [...headJoints, ...antennas];

/** How far the worst of nine joints is outside of all its goals. @param {number[]} there @param {number[][]} goals */
const astray = (there, goals) =>
  Math.max(
    ...there.map((angle, joint) => {
      const sent = goals.map((goal) => goal[joint] ?? 0);
      return Math.max(angle - Math.max(...sent), Math.min(...sent) - angle, 0);
    }),
  );

/** The largest difference between two lists of nine. @param {number[]} a @param {number[]} b */
const apart = (a, b) => Math.max(...a.map((angle, joint) => Math.abs(angle - (b[joint] ?? 0))));

/** Follows the daemon's states: errors against what was sent, and when it lost and found its robot. @param {string} url */
async function follow(url) {
  const socket = await open(url);
  /** @type {number[]} */
  const lags = [];
  /** @type {number[]} */
  const strays = [];
  /** @type {{ at: number, goal: number[] }[]} */
  let goals = [];
  /** @type {{ at: number, phase: string }[]} */
  const phases = [];
  let busErrors = 0;
  let lost = 0;
  socket.on("message", (text) => {
    const { phase, sent, headJoints, antennas, loop } = JSON.parse(String(text));
    if (phases.at(-1)?.phase !== phase) phases.push({ at: performance.now(), phase });
    if (sent) {
      const at = performance.now();
      goals = [...goals.filter((old) => at - old.at < LAG_MS), { at, goal: nine(sent) }];
      const there = [...headJoints, ...antennas];
      lags.push(apart(nine(sent), there));
      strays.push(
        astray(
          there,
          goals.map(({ goal }) => goal),
        ),
      );
    } else goals = [];
    // A new link counts anew.
    if (loop.busErrors < lost) busErrors += lost;
    lost = loop.busErrors;
  });
  const isThere = () => phases.at(-1)?.phase === "running";
  return { lags, strays, phases, isThere, busErrors: () => busErrors + lost, close: () => socket.terminate() };
}

/** Follows the simulated joints themselves: their greatest speed, rad/s. @param {string} page @param {AbortSignal} signal */
async function watchJoints(page, signal) {
  const { body } = await fetch(new URL("events", page), { signal });
  const seen = { fastest: 0, frames: 0 };
  /** @type {{ t: number, joints: number[] } | undefined} */
  let last;
  const read = async () => {
    let text = "";
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk).toString();
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        if (!event.startsWith("event: frame")) continue;
        const frame = JSON.parse(event.slice(event.indexOf("data: ") + 6));
        if (last && frame.t > last.t) seen.fastest = Math.max(seen.fastest, speed(last, frame));
        last = frame;
        seen.frames += 1;
      }
    }
  };
  read().catch(() => undefined);
  return seen;
}

/** @param {{ t: number, joints: number[] }} a @param {{ t: number, joints: number[] }} b */
const speed = (a, b) => apart(a.joints, b.joints) / (b.t - a.t);

/**
 * Lets the robot move for so long, with 100 targets a second. The movement stands while there is no robot, so that its
 * target has not run away when the robot is back.
 * @param {string} url @param {number} seconds @param {() => boolean} isThere
 */
async function move(url, seconds, isThere) {
  const socket = await open(url);
  const began = performance.now();
  let sent = 0;
  let moved = 0;
  while (performance.now() - began < 1000 * seconds) {
    socket.send(JSON.stringify(targetAt(moved / 1000)));
    sent += 1;
    if (isThere()) moved += PERIOD_MS;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + PERIOD_MS * sent - performance.now())));
  }
  socket.terminate();
  return sent;
}

/** @param {number} minutes */
export async function soakBus(minutes) {
  section(`Bus: ${minutes} minutes at 100 Hz over a tty, 1 % corrupt, 1 % dropped, unplugged once`);
  const sim = await startRobotSim(["--pty", ...BAD_WIRE]);
  const daemon = await startDaemon(TEST_DATA, [], sim.address);
  const done = new AbortController();
  try {
    await daemon.awake();
    const page = await until("robot-sim serves its page", 5000, () => sim.page());
    const sockets = daemon.url.replace("http", "ws");
    const states = await follow(`${sockets}/ws/state`);
    const joints = await watchJoints(page, done.signal);

    const moving = move(`${sockets}/ws/sdk`, 60 * minutes, states.isThere);
    await new Promise((resolve) => setTimeout(resolve, 30_000 * minutes));
    await fetch(new URL("faults", page), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ fault: `unplug:for=${UNPLUGGED_SECONDS}` }),
    });
    const pulledAt = performance.now();
    const memoryThen = proportionalMegabytes(daemon.pid);
    const pluggedAt = await until("the cable is back", 20_000, () => sim.told().includes("plugged in again")).then(() =>
      performance.now(),
    );
    const targets = await moving;

    const { control_loop_stats: loop } = (await daemon.get("/api/daemon/status")).backend_status;
    const { mode } = await daemon.get("/api/motors/status");
    const told = states.phases.find(({ at, phase }) => at > pulledAt && phase === "error");
    const back = states.phases.find(({ at, phase }) => at > pluggedAt && phase === "running");
    const [p50, p99, worst] = [0.5, 0.99, 1].map((q) => quantile(states.strays, q).toFixed(4));
    figure("targets sent, states seen", `${targets}, ${states.lags.length}`);
    figure("answers lost or corrupt", `${states.busErrors()}`, "> 0", states.busErrors() > 0);
    const lag = [0.5, 0.99, 1].map((q) => quantile(states.lags, q).toFixed(4));
    figure("joints behind their goals, p50, p99, max", `${lag.join(", ")} rad`);
    const stray = `${p50}, ${p99}, ${worst} rad`;
    const within = `max <= ${MOST_ASTRAY} rad`;
    figure(`beside all goals of the last ${LAG_MS} ms`, stray, within, Number(worst) <= MOST_ASTRAY);
    const fast = `${joints.fastest.toFixed(2)} rad/s in ${joints.frames} frames`;
    figure("fastest simulated joint", fast, `<= ${MOST_SPEED} rad/s`, joints.fastest <= MOST_SPEED);
    const period = `p50 ${loop.period_p50_ms.toFixed(2)} ms, p99 ${loop.period_p99_ms.toFixed(2)} ms, ${loop.missed} missed`;
    figure("control period", period);
    figure("unplugged to told", told ? `${(told.at - pulledAt).toFixed(0)} ms` : "never", "told", told !== undefined);
    const recovery = back ? `${(back.at - pluggedAt).toFixed(0)} ms` : "never";
    figure("replugged to running", recovery, "recovers", back !== undefined && mode === "enabled");
    const memory = [memoryThen, proportionalMegabytes(daemon.pid)].map((megabytes) => `${megabytes.toFixed(0)} MB`);
    figure("memory of the daemon's process", `${memory[0]} at half time, ${memory[1]} at the end`);
    for (const line of sim.told().split("\n")) if (line.includes("too slow")) console.log(`  (${line})`);
    states.close();
  } finally {
    done.abort();
    const codes = [await daemon.stop(), await sim.stop()];
    figure(
      "exit codes of daemon and robot-sim",
      codes.join(", "),
      "0, 0",
      codes.every((code) => code === 0),
    );
  }
}
