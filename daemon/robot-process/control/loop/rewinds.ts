import type { Clock } from "../../../../common/time/clock.ts";
import { JOINTS } from "../../../../robot/description/joints.ts";
import { OperatingMode, REGISTERS } from "../../../../robot/servo/registers/control-table.ts";
import { bringUp } from "../../hardware/bring-up.ts";
import type { ServoBus } from "../../hardware/bus/servo-bus.ts";
import { ConnectedRobot } from "../robot/connected-robot.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { ServoFaults } from "./servo-faults.ts";

/** How the time of a robot passes. */
export interface RobotTime {
  /** Factor to real time: 1 for a physical robot, 0 for a simulated one that is paused. */
  readonly factor: number;
  /** How often a simulated robot was taken to another moment. */
  readonly rewinds: number;
}

const REAL_TIME: RobotTime = { factor: 1, rewinds: 0 };

interface RewindsOptions extends LoopParts {
  /** How the time of a simulated robot passes. Default: in real time. */
  readonly robotTime?: RobotTime | undefined;
  readonly servoFaults: ServoFaults;
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

  /** Call when the robot is connected, right after its servos were read. */
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

/**
 * The robot of a simulation that was rewound: posture, torque and gravity compensation are those that its servos have.
 *
 * @throws WorkbenchError as `bringUp` does
 */
async function reconnectAfterRewind(bus: ServoBus, clock: Clock): Promise<ConnectedRobot> {
  const { address } = REGISTERS.operatingMode;
  const [mode] = await bus.read(JOINTS[0].id, address, 1);
  const [torque] = await bus.read(JOINTS[0].id, REGISTERS.torqueEnable.address, 1);
  const robot = new ConnectedRobot(await bringUp(bus, clock, "the simulator"), clock);
  if (mode === OperatingMode.current && torque === 1) await robot.enableGravityCompensation();
  return robot;
}
