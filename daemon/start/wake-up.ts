import { type Clock, sleep } from "../../common/time/clock.ts";
import { type Problem, problemOf } from "../../robot/wire/errors.ts";
import type { Robot } from "../robot-client/robot.ts";

/** Milliseconds for which a robot whose servos do not answer is woken up again and again, and between two attempts. */
const TRY_FOR_MS = 60_000;
const PAUSE_MS = 1000;

/**
 * Wakes the robot up as soon as it is connected, however long that takes. Tries again for a minute when its servos do not
 * answer, as when their power has just been switched on, or when this machine is busy. Does nothing after the signal aborts, or
 * when somebody else moves the robot meanwhile.
 * @param onRetry is called when the first attempt has failed
 * @throws WorkbenchError the reason why the robot does not wake up; `robot-not-ready` only after a minute
 */
export async function wakeUpWhenConnected(
  robot: Robot,
  clock: Clock,
  signal: AbortSignal,
  onRetry: (problem: Problem) => void,
): Promise<void> {
  let firstFailedAt: number | undefined;
  for (;;) {
    await untilConnected(robot, signal);
    if (signal.aborted) return;
    try {
      await robot.wakeUp();
      return;
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code !== "robot-not-ready") throw error;
      if (firstFailedAt === undefined) onRetry(problem);
      firstFailedAt ??= clock.now();
      if (clock.now() - firstFailedAt >= TRY_FOR_MS) throw error;
    }
    if (await isMovedDuringPause(robot, clock, signal)) return;
  }
}

/** Waits until the next attempt. @returns whether a move has begun meanwhile */
async function isMovedDuringPause(robot: Robot, clock: Clock, signal: AbortSignal): Promise<boolean> {
  let isMoved = false;
  const unsubscribe = robot.onEvent(({ kind }) => {
    isMoved ||= kind === "move_started";
  });
  await sleep(clock, PAUSE_MS, signal);
  unsubscribe();
  return isMoved;
}

/** Settles when the robot is connected and its loop runs, or when the signal aborts. */
function untilConnected(robot: Robot, signal: AbortSignal): Promise<void> {
  if (robot.state.phase === "running" || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      unsubscribe();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const unsubscribe = robot.onState(({ phase }) => {
      if (phase === "running") finish();
    });
    signal.addEventListener("abort", finish);
  });
}
