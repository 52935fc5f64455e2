import { MAX_APPROACH } from "../../robot/motion/trajectory/recorded-move.ts";
import { mergeTargets } from "./merge-targets.ts";
import type { Robot, Simulation } from "./robot.ts";
import { type CallTable, DEFAULT_DEADLINE_MS } from "./rpc/call-options.ts";

/** Milliseconds for wake-up and sleep: each takes some seconds. */
const CHOREOGRAPHY_MS = 15_000;
/** Milliseconds for the return to the default pose: far longer than any takes. The slot waits no longer for the robot. */
const RETURN_MS = 10_000;

/** Minimum milliseconds between two targets: the control loop takes one in 10 ms. */
const TARGET_INTERVAL_MS = 2;

/** Methods of the robot that are not called with the default options. */
export const ROBOT_CALLS: CallTable<Robot> = {
  setTarget: {
    merging: { merge: ([older], [newer]) => [mergeTargets(older, newer)], intervalMs: TARGET_INTERVAL_MS },
  },
  goto: { deadlineMs: ({ duration }) => DEFAULT_DEADLINE_MS + 1000 * duration },
  play: { deadlineMs: (frames) => DEFAULT_DEADLINE_MS + 1000 * ((frames.at(-1)?.t ?? 0) + MAX_APPROACH) },
  wakeUp: { deadlineMs: CHOREOGRAPHY_MS },
  goToSleep: { deadlineMs: CHOREOGRAPHY_MS },
  endAppSession: { deadlineMs: RETURN_MS },
  close: { deadlineMs: CHOREOGRAPHY_MS },
  setAutomaticBodyYaw: { keep: true },
  setWatched: { keep: true },
};

/** Methods of the simulated world that are not called with the default options. */
export const SIMULATION_CALLS: CallTable<Simulation> = {
  watch: { keep: true },
};
