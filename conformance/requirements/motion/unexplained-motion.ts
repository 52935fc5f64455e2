import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { legAngles } from "../../../robot/kinematics/inverse.ts";
import { type AppRun, isMotion } from "../../evidence/app-run.ts";
import type { Evidence } from "../../evidence/evidence.ts";

const DEFAULT_JOINTS = [
  DEFAULT_POSE.bodyYaw,
  ...legAngles(DEFAULT_POSE.head, DEFAULT_POSE.bodyYaw),
  ...DEFAULT_POSE.antennas,
];
/** Radians between servo targets and the default pose that count as motion. */
const MOVED = 0.03;

/**
 * Whether the servos were sent away from the default pose while the app was connected, in a run of which the tap saw no
 * command: then the app moves the robot in a way that the tap does not see.
 */
export function movedWithoutCommands(run: AppRun, { testRuns }: Pick<Evidence, "testRuns">): boolean {
  const motion = testRuns.find(({ id }) => id === run.testRun)?.motion;
  if (motion === undefined || run.connectedAt === null || run.commands.some(isMotion)) return false;
  const [from, until] = [run.connectedAt, run.endRequestedAt ?? run.exitedAt ?? Number.POSITIVE_INFINITY];
  return motion.t.some((t, at) => {
    const sent = motion.sent[at];
    if (t < from || t > until || !sent) return false;
    return sent.some((angle, joint) => Math.abs(angle - (DEFAULT_JOINTS[joint] ?? angle)) > MOVED);
  });
}
