import type { Clock } from "../../../../common/time/clock.ts";
import { JOINTS } from "../../../../robot/description/joints.ts";
import { OperatingMode, REGISTERS } from "../../../../robot/servo/registers/control-table.ts";
import { bringUp } from "../../hardware/bring-up.ts";
import type { ServoBus } from "../../hardware/bus/servo-bus.ts";
import { ConnectedRobot } from "./connected-robot.ts";

/** How the time of a robot passes. */
export interface RobotTime {
  /** Factor to real time: 1 for a physical robot, 0 for a simulated one that is paused. */
  readonly factor: number;
  /** How often a simulated robot was taken to another moment. */
  readonly rewinds: number;
}

/**
 * The robot of a simulation that was rewound: posture, torque and gravity compensation are those that its servos have.
 *
 * @throws WorkbenchError as `bringUp` does
 */
export async function reconnectAfterRewind(bus: ServoBus, clock: Clock): Promise<ConnectedRobot> {
  const { address } = REGISTERS.operatingMode;
  const [mode] = await bus.read(JOINTS[0].id, address, 1);
  const [torque] = await bus.read(JOINTS[0].id, REGISTERS.torqueEnable.address, 1);
  const robot = new ConnectedRobot(await bringUp(bus, clock, "the simulator"), clock);
  if (mode === OperatingMode.current && torque === 1) await robot.enableGravityCompensation();
  return robot;
}
