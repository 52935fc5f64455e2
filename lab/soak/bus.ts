// Runs the control loop over a tty with a faulty wire: it moves for minutes, loses the robot once, and must neither crash
// nor deviate from its goals.
import { setTimeout as sleep } from "node:timers/promises";
import { TEST_DATA } from "../../scripts/setup/test-apps.mjs";
import { spawnRobotSim } from "../../sim/process/spawn-robot-sim.ts";
import { type Daemon, startDaemon, until } from "../bench/daemon.ts";
import { figure, quantile, section } from "../bench/figures.ts";
import { proportionalMegabytes } from "../bench/processes.ts";

const BAD_WIRE = ["--fault", "corrupt:rate=0.01", "--fault", "drop:rate=0.01"];
const PERIOD_MS = 10;
/** Milliseconds by which a simulated joint may lag behind its goals on a slow machine. */
const LAG_MS = 1500;
/** Radians by which a joint may deviate from all its goals within the lag. */
const MAX_DEVIATION = 0.05;
/** rad/s: the slowest of the legs' and antennas' limits. The movement itself stays below 1. */
const MAX_SPEED = 8;
const UNPLUGGED_SECONDS = 2;

/** The target at a time: the head nods, turns and moves up and down. @param t seconds */
function targetAt(t: number) {
  const [yaw, pitch] = [0.3 * Math.sin(1.1 * t), 0.15 * Math.sin(1.7 * t)];
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const z = 0.006 * Math.sin(2.3 * t);
  const head = [cy * cp, -sy, cy * sp, 0, sy * cp, cy, sy * sp, 0, -sp, 0, cp, z, 0, 0, 0, 1];
  return { type: "set_full_target", head, antennas: [-0.6 * Math.sin(t), 0.6 * Math.sin(t)], body_yaw: null };
}

const allJoints = ({ headJoints, antennas }: { headJoints: number[]; antennas: number[] }) => [
  ...headJoints,
  ...antennas,
];

/** The largest distance of a joint from the range of its goals. */
const deviation = (there: number[], goals: number[][]) =>
  Math.max(
    ...there.map((angle, joint) => {
      const sent = goals.map((goal) => goal[joint] ?? 0);
      return Math.max(angle - Math.max(...sent), Math.min(...sent) - angle, 0);
    }),
  );

/** The largest difference between two lists of joints. */
const largestDifference = (a: number[], b: number[]) =>
  Math.max(...a.map((angle, joint) => Math.abs(angle - (b[joint] ?? 0))));

/** Follows the daemon's states: deviations from goals, and when it lost and recovered the robot. */
async function followStates(daemon: Daemon) {
  const socket = await daemon.socket("/ws/state");
  const lags: number[] = [];
  const deviations: number[] = [];
  let goals: { at: number; goal: number[] }[] = [];
  const phases: { at: number; phase: string }[] = [];
  let busErrors = 0;
  let lost = 0;
  socket.on("message", (text) => {
    const { phase, sent, headJoints, antennas, loop } = JSON.parse(String(text));
    if (phases.at(-1)?.phase !== phase) phases.push({ at: performance.now(), phase });
    if (sent) {
      const at = performance.now();
      goals = [...goals.filter((old) => at - old.at < LAG_MS), { at, goal: allJoints(sent) }];
      const there = [...headJoints, ...antennas];
      lags.push(largestDifference(allJoints(sent), there));
      deviations.push(
        deviation(
          there,
          goals.map(({ goal }) => goal),
        ),
      );
    } else goals = [];
    // The count restarts with a new link.
    if (loop.busErrors < lost) busErrors += lost;
    lost = loop.busErrors;
  });
  const isRunning = () => phases.at(-1)?.phase === "running";
  return { lags, deviations, phases, isRunning, busErrors: () => busErrors + lost, close: () => socket.terminate() };
}

/** Follows the simulated joints: their highest speed, rad/s. */
async function watchJoints(page: string, signal: AbortSignal) {
  const { body } = await fetch(new URL("events", page), { signal });
  const seen = { fastest: 0, frames: 0 };
  let last: { t: number; joints: number[] } | undefined;
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

const speed = (a: { t: number; joints: number[] }, b: { t: number; joints: number[] }) =>
  largestDifference(a.joints, b.joints) / (b.t - a.t);

/**
 * Moves the robot with 100 targets per second. The movement pauses while there is no robot, so that the target is near the
 * robot when it is back.
 */
async function move(daemon: Daemon, seconds: number, isRunning: () => boolean) {
  const socket = await daemon.socket("/ws/sdk");
  const began = performance.now();
  let sent = 0;
  let moved = 0;
  while (performance.now() - began < 1000 * seconds) {
    socket.send(JSON.stringify(targetAt(moved / 1000)));
    sent += 1;
    if (isRunning()) moved += PERIOD_MS;
    await sleep(Math.max(0, began + PERIOD_MS * sent - performance.now()));
  }
  socket.terminate();
  return sent;
}

export async function soakBus(minutes: number) {
  section(`Bus: ${minutes} minutes at 100 Hz over a tty, 1 % corrupt, 1 % dropped, unplugged once`);
  const sim = await spawnRobotSim("pty", BAD_WIRE);
  const daemon = await startDaemon(TEST_DATA, [], sim.address);
  const done = new AbortController();
  try {
    await daemon.awake();
    const states = await followStates(daemon);
    const joints = await watchJoints(sim.page, done.signal);

    const moving = move(daemon, 60 * minutes, states.isRunning);
    await sleep(30_000 * minutes);
    await sim.injectFault(`unplug:for=${UNPLUGGED_SECONDS}`);
    const pulledAt = performance.now();
    const memoryThen = proportionalMegabytes(daemon.pid);
    const pluggedAt = await until("the cable is back", 20_000, () => sim.output().includes("plugged in again")).then(
      () => performance.now(),
    );
    const targets = await moving;

    const { control_loop_stats: loop } = (await daemon.get("/api/daemon/status")).backend_status;
    const { mode } = await daemon.get("/api/motors/status");
    const lostPhase = states.phases.find(({ at, phase }) => at > pulledAt && phase === "error");
    const recoveredPhase = states.phases.find(({ at, phase }) => at > pluggedAt && phase === "running");
    const [p50, p99, worst] = [0.5, 0.99, 1].map((q) => quantile(states.deviations, q).toFixed(4));
    figure("targets sent, states seen", `${targets}, ${states.lags.length}`);
    figure("answers lost or corrupt", `${states.busErrors()}`, "> 0", states.busErrors() > 0);
    const lag = [0.5, 0.99, 1].map((q) => quantile(states.lags, q).toFixed(4));
    figure("joints behind their goals, p50, p99, max", `${lag.join(", ")} rad`);
    const deviationText = `${p50}, ${p99}, ${worst} rad`;
    const within = `max <= ${MAX_DEVIATION} rad`;
    figure(`beside all goals of the last ${LAG_MS} ms`, deviationText, within, Number(worst) <= MAX_DEVIATION);
    const fast = `${joints.fastest.toFixed(2)} rad/s in ${joints.frames} frames`;
    figure("fastest simulated joint", fast, `<= ${MAX_SPEED} rad/s`, joints.fastest <= MAX_SPEED);
    const period = `p50 ${loop.period_p50_ms.toFixed(2)} ms, p99 ${loop.period_p99_ms.toFixed(2)} ms, ${loop.missed} missed`;
    figure("control period", period);
    figure(
      "unplugged to reported",
      lostPhase ? `${(lostPhase.at - pulledAt).toFixed(0)} ms` : "never",
      "reported",
      lostPhase !== undefined,
    );
    const recovery = recoveredPhase ? `${(recoveredPhase.at - pluggedAt).toFixed(0)} ms` : "never";
    figure("replugged to running", recovery, "recovers", recoveredPhase !== undefined && mode === "enabled");
    const memory = [memoryThen, proportionalMegabytes(daemon.pid)].map((megabytes) => `${megabytes.toFixed(0)} MB`);
    figure("memory of the daemon's process", `${memory[0]} at half time, ${memory[1]} at the end`);
    for (const line of sim.output().split("\n")) if (line.includes("too slow")) console.log(`  (${line})`);
    states.close();
  } finally {
    done.abort();
    const code = await daemon.stop();
    await sim.close();
    const codes = [code, sim.exitCode];
    figure(
      "exit codes of daemon and robot-sim",
      codes.join(", "),
      "0, 0",
      codes.every((code) => code === 0),
    );
  }
}
