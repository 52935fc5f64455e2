import { problemOf } from "../../robot/wire/errors.ts";
import type { Robot } from "../robot-client/robot.ts";

/**
 * Wakes the robot up as soon as it is connected, however long that takes; once more when the connection is lost
 * meanwhile. Does nothing after the signal aborts.
 * @throws WorkbenchError as `Robot.wakeUp`
 */
export async function wakeUpWhenConnected(robot: Robot, signal: AbortSignal): Promise<void> {
  await connected(robot, signal);
  if (signal.aborted) return;
  await robot.wakeUp().catch(async (error) => {
    if (problemOf(error).code !== "robot-not-ready") throw error;
    await connected(robot, signal);
    if (!signal.aborted) await robot.wakeUp();
  });
}

/** Settles when the robot is connected and its loop runs, or when the signal aborts. */
function connected(robot: Robot, signal: AbortSignal): Promise<void> {
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
