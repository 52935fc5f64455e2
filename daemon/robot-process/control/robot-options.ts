import type { Unsubscribe } from "../../../common/emitter.ts";
import type { PreciseClock } from "../../../common/time/clock.ts";
import type { ByteLink } from "../../../robot/servo/byte-link.ts";
import type { PreviousState } from "../../robot-client/process/robot-process.ts";
import type { Simulation } from "../../robot-client/robot.ts";
import type { RobotTime } from "./loop/rewinds.ts";

/** Options of `RobotController`. */
export interface RobotOptions {
  /** Opens the link to the robot; called again after it was lost. */
  open: () => Promise<ByteLink>;
  clock: PreciseClock;
  /** What `close` does with a robot that is awake: puts it to sleep, or leaves it as it is. Default `sleep`. */
  atClose?: "sleep" | "stay";
  /** The world around a simulated robot. */
  simulation?: Simulation;
  /** How the time of a simulated robot passes. Default: in real time. */
  robotTime?: RobotTime;
  /** Calls back when a push has broken a simulated platform, which was then put together again. */
  onPlatformRecovered?: (listener: () => void) => Unsubscribe;
  /** Whether the simulated robot has an inertial sensor. */
  hasInertialSensor?: boolean;
  /** How the robot was when the process before this one was lost. Default: asleep. */
  previous?: PreviousState | undefined;
}
