import { MAX_APPROACH } from "../../robot/motion/trajectory/recorded-move.ts";
import type { Target } from "../../robot/wire/robot/target.ts";
import type { Robot, Simulation } from "./robot.ts";
import { type CallTable, DEFAULT_DEADLINE_MS } from "./rpc/rpc-client.ts";

/** Deadline of wake-up, sleep and close, in milliseconds: each moves the robot for some seconds. */
const WAKE_OR_SLEEP_DEADLINE_MS = 15_000;
/**
 * Deadline of the return to the default pose, in milliseconds: the slot waits at most this long for the robot. The return takes
 * far less.
 */
const RETURN_DEADLINE_MS = 10_000;
/** How many times its duration a move may take: on a machine without free processor time the robot moves more slowly. */
const MAX_DURATION_FACTOR = 2;

/** Minimum milliseconds between two targets that are sent. The control loop uses one per tick of 10 ms. */
const TARGET_INTERVAL_MS = 2;
/** Targets on their way: those of two states, which answer them. */
const MAX_UNANSWERED_TARGETS = 20;

/** @param duration seconds */
const moveDeadlineMs = (duration: number): number => DEFAULT_DEADLINE_MS + MAX_DURATION_FACTOR * 1000 * duration;

/**
 * The one target that has the effect of both. Head and antennas that a target leaves out stay as they were last
 * commanded; a body yaw that it leaves out is chosen by the robot, unless the target keeps it.
 */
export const mergeTargets = (older: Target, newer: Target): Target => ({
  head: newer.head ?? older.head ?? null,
  antennas: newer.antennas ?? older.antennas ?? null,
  bodyYaw: newer.bodyYaw ?? (newer.keepsBodyYaw ? older.bodyYaw : null) ?? null,
  ...(newer.keepsBodyYaw !== undefined && { keepsBodyYaw: newer.keepsBodyYaw }),
});

/** How methods of the robot are called, where the default options do not suit. */
export const ROBOT_CALLS: CallTable<Robot> = {
  setTarget: {
    merging: {
      merge: ([older, answer], [newer, newerAnswer]) => [
        mergeTargets(older, newer),
        answer === "with-state" ? newerAnswer : answer,
      ],
      intervalMs: TARGET_INTERVAL_MS,
      maxUnanswered: MAX_UNANSWERED_TARGETS,
    },
    isAnsweredWithState: (_, answer) => answer === "with-state",
  },
  goto: { deadlineMs: ({ duration }) => moveDeadlineMs(duration) },
  play: { deadlineMs: (frames) => moveDeadlineMs((frames.at(-1)?.t ?? 0) + MAX_APPROACH) },
  wakeUp: { deadlineMs: WAKE_OR_SLEEP_DEADLINE_MS },
  goToSleep: { deadlineMs: WAKE_OR_SLEEP_DEADLINE_MS },
  endAppSession: { deadlineMs: RETURN_DEADLINE_MS },
  close: { deadlineMs: WAKE_OR_SLEEP_DEADLINE_MS },
  setAutomaticBodyYaw: { repeatForNewProcess: true },
  setWatched: { repeatForNewProcess: true },
};

/** How methods of the simulated world are called, where the default options do not suit. */
export const SIMULATION_CALLS: CallTable<Simulation> = {
  watch: { repeatForNewProcess: true },
};
