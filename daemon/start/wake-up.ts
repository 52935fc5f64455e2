import type { Clock } from "../../common/time/clock.ts";
import type { Problem } from "../../robot/wire/errors.ts";
import { retryWhileNotReady } from "../robot-client/retry-while-not-ready.ts";
import type { Robot } from "../robot-client/robot.ts";

/**
 * Wakes the robot up as soon as it is connected, however long that takes. Tries again for a minute when its servos do not
 * answer, unless somebody else moves the robot or changes its motor mode meanwhile. Does nothing after the signal aborts.
 * @param onFirstFailure is called when the first attempt has failed
 * @throws WorkbenchError the reason why the robot does not wake up; `robot-not-ready` only after a minute
 */
export function wakeUpWhenConnected(
  robot: Robot,
  clock: Clock,
  signal: AbortSignal,
  onFirstFailure: (problem: Problem) => void,
): Promise<void> {
  const attempt = async (): Promise<void> => {
    await untilConnected(robot, signal);
    if (!signal.aborted) await robot.wakeUp();
  };
  const watchOthers = () => {
    let hasDecided = false;
    const unsubscribe = robot.onEvent(({ kind, data }) => {
      hasDecided ||= kind === "move_started" || (kind === "motor_mode" && data.restored !== true);
    });
    return () => {
      unsubscribe();
      return hasDecided;
    };
  };
  return retryWhileNotReady(attempt, { clock, signal, onFirstFailure, watchOthers });
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
