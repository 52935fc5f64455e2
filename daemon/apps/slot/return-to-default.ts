import type { Clock } from "../../../common/time/clock.ts";
import type { Robot } from "../../robot-client/robot.ts";

/** Far longer than any return to the default pose takes; a robot that cannot move must not hold the slot forever. */
const DEADLINE_MS = 10_000;

export interface ReturnParts {
  robot: Pick<Robot, "cancelMove" | "returnToDefault" | "setAppProcessGroup">;
  clock: Clock;
  /** Called when the robot could not return to its default pose. */
  onReturnFailed(reason: string): void;
}

/**
 * Cancels the moves that an app left running, then returns the robot to its default pose. Never rejects: a failure is
 * reported, and the slot can be used all the same.
 */
export async function returnToDefaultAfterApp(parts: ReturnParts): Promise<void> {
  setAppProcessGroup(parts.robot, null);
  try {
    await withDeadline(cancelAndReturn(parts.robot), parts.clock);
  } catch (error) {
    parts.onReturnFailed(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Cancels the moves that an app left running; the robot stays where it is, for the same app that follows. Never rejects:
 * a missing robot has no moves.
 */
export async function keepPoseAfterApp({ robot }: ReturnParts): Promise<void> {
  setAppProcessGroup(robot, null);
  await robot.cancelMove().catch(() => undefined);
}

/** Names the process group to end should the daemon be killed. A robot process that replaces a lost one gets it again. */
export function setAppProcessGroup(robot: Pick<Robot, "setAppProcessGroup">, group: { pid: number } | null): void {
  robot.setAppProcessGroup(group).catch(() => undefined);
}

async function cancelAndReturn(robot: ReturnParts["robot"]): Promise<void> {
  // A missing robot cannot cancel; the robot then returns when it is connected again.
  await robot.cancelMove().catch(() => undefined);
  await robot.returnToDefault();
}

async function withDeadline(work: Promise<void>, clock: Clock): Promise<void> {
  let cancelTimer = () => {};
  const timeout = new Promise<never>((_, reject) => {
    const why = `The robot did not return to its default pose within ${DEADLINE_MS / 1000} s.`;
    cancelTimer = clock.after(DEADLINE_MS, () => reject(new Error(why)));
  });
  await Promise.race([work, timeout]).finally(cancelTimer);
}
