import { type Clock, sleep } from "../../common/time/clock.ts";
import { problemOf } from "../../robot/wire/errors.ts";
import type { Robot } from "../robot-client/robot.ts";

/** Wake-ups that are tried when servos do not answer, and the milliseconds between two of them. */
const ATTEMPTS = 5;
const PAUSE_MS = 1000;

/**
 * Wakes the robot up as soon as it is connected, however long that takes. Tries again when its servos do not answer, as when
 * their power has just been switched on. Does nothing after the signal aborts.
 * @throws WorkbenchError the reason why the robot does not wake up; `robot-not-ready` only after five attempts
 */
export async function wakeUpWhenConnected(robot: Robot, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await untilConnected(robot, signal);
    if (signal.aborted) return;
    try {
      await robot.wakeUp();
      return;
    } catch (error) {
      if (problemOf(error).code !== "robot-not-ready" || attempt === ATTEMPTS) throw error;
    }
    await sleep(clock, PAUSE_MS, signal);
  }
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
