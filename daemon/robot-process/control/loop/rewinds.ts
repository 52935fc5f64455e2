import type { Clock } from "../../../../common/time/clock.ts";
import type { ConnectedRobot } from "../robot/connected-robot.ts";
import { type RobotTime, reconnectAfterRewind } from "../robot/reconnect-after-rewind.ts";
import type { MoveRunner } from "./move-runner.ts";
import type { ServoFaults } from "./servo-faults.ts";
import type { StatusReporter } from "./status-reporter.ts";
import type { TargetStore } from "./target-store.ts";

const REAL_TIME: RobotTime = { factor: 1, rewinds: 0 };

interface RewindsOptions {
  /** How the time of a simulated robot passes. Default: in real time. */
  readonly robotTime?: RobotTime | undefined;
  readonly clock: Clock;
  readonly status: StatusReporter;
  readonly moves: MoveRunner;
  readonly targets: TargetStore;
  readonly servoFaults: ServoFaults;
  /** Gives the robot up until it is connected again. */
  readonly disconnect: (why: string) => void;
}

/** How the robot's time passes, and what the control loop does when a simulated robot was taken to another moment. */
export class Rewinds {
  readonly #options: RewindsOptions;
  readonly #time: RobotTime;
  /** The rewinds after which the servos were looked at. */
  #seen = 0;

  constructor(options: RewindsOptions) {
    this.#options = options;
    this.#time = options.robotTime ?? REAL_TIME;
  }

  /** Factor of the robot's time to real time; 0 while it is paused. */
  get factor(): number {
    return this.#time.factor;
  }

  /** Whether the robot's time passes, and goes on from where the goals that were sent last have led it. */
  get isLive(): boolean {
    return this.#time.factor > 0 && this.#time.rewinds === this.#seen;
  }

  /** Call when the robot is connected: its servos were looked at just now. */
  catchUp(): void {
    this.#seen = this.#time.rewinds;
  }

  /**
   * Looks at the servos after a rewind: the motors are as they were then. Moves end that need other motors; goals lead the robot
   * from there to the present target.
   * @param onRobot gets the robot as it is now
   */
  async takeOver({ servos, motors }: ConnectedRobot, onRobot: (robot: ConnectedRobot) => void): Promise<void> {
    const { clock, status, moves, targets, servoFaults, disconnect } = this.#options;
    this.catchUp();
    const modeBefore = motors.mode;
    const robot = await reconnectAfterRewind(servos.bus, clock).catch((error: Error) => disconnect(error.message));
    if (robot === undefined) return;
    onRobot(robot);
    const { mode } = robot.motors;
    if (mode !== "enabled") moves.end("cancelled");
    servoFaults.clear();
    status.setPhase("running");
    if (mode === modeBefore) return;
    // The target is that of other motors: for example the sleep pose, for a robot that was awake then.
    targets.clear();
    status.emit("motor_mode", "info", `Motor mode: ${mode}.`, { mode });
  }
}
