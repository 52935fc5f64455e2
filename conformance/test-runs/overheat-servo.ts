import type { JointName } from "../../robot/description/joints.ts";
import type { LiveAppRun } from "../runner/observe/live-app-run.ts";
import type { TestBed } from "../runner/test-bed.ts";

/** Seconds within which the daemon reports a fault; it reads the servos' health every second. */
const REPORT_LIMIT_S = 5;
/** Seconds in which the robot recovers. */
const RECOVER_S = 0.3;

/**
 * Lets a servo overheat while the app runs: it turns its torque off, and the robot's state is "error". Turns the motors on
 * again afterwards, as a user would who reads that.
 * @param seconds that the servo is too hot for
 * @returns whether the daemon reported it while the app ran
 */
export async function overheatServo(
  bed: TestBed,
  run: LiveAppRun,
  servo: JointName,
  seconds: number,
): Promise<boolean> {
  const { rig } = bed;
  const hasFailed = () => rig.state?.phase === "error";
  rig.hasFaults = true;
  await rig.robotSim?.injectFault(`overheat:servo=${servo},for=${seconds}`);
  await bed
    .waitFor(REPORT_LIMIT_S, "the daemon reports the fault", () => run.hasEnded || hasFailed())
    .catch(() => bed.options.host.signal.throwIfAborted());
  const isReported = hasFailed();
  await bed.letRun(run, seconds);
  if (hasFailed()) {
    bed.recordAction("turn the motors on again");
    await bed.request("POST", "/api/motors/set_mode/enabled");
    await bed
      .waitFor(REPORT_LIMIT_S, "the robot runs again", () => !hasFailed())
      .then(() => {
        rig.hasFaults = false;
      })
      .catch(() => bed.options.host.signal.throwIfAborted());
  }
  await bed.letRun(run, RECOVER_S);
  return isReported;
}
