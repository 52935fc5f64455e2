import type { Clock } from "../../clock.ts";
import type { Robot } from "../../control/robot.ts";

/** Far longer than any return to default takes; a robot that cannot move must not hold the slot for ever. */
const DEADLINE_MS = 10_000;

export interface RestParts {
  robot: Pick<Robot, "cancelMove" | "returnToDefault" | "guardApp">;
  clock: Clock;
  /** Told when the robot could not return to its default pose. */
  onRestFailed(reason: string): void;
}

/**
 * Brings the robot to rest after an app: cancels what the app left moving, then returns to the default pose. Never
 * rejects; a robot that cannot return is told of, and the slot can be used all the same.
 */
export async function comeToRest(parts: RestParts): Promise<void> {
  parts.robot.guardApp(null);
  try {
    await beforeDeadline(moveToDefault(parts.robot), parts.clock);
  } catch (error) {
    parts.onRestFailed(error instanceof Error ? error.message : String(error));
  }
}

async function moveToDefault(robot: Pick<Robot, "cancelMove" | "returnToDefault">): Promise<void> {
  await robot.cancelMove();
  await robot.returnToDefault();
}

async function beforeDeadline(work: Promise<void>, clock: Clock): Promise<void> {
  let callOff = () => {};
  const late = new Promise<never>((_, reject) => {
    const why = `The robot did not return to its default pose within ${DEADLINE_MS / 1000} s.`;
    callOff = clock.after(DEADLINE_MS, () => reject(new Error(why)));
  });
  await Promise.race([work, late]).finally(callOff);
}
