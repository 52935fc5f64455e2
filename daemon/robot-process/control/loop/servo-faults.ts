import { SUPPLY_TEXT } from "../../../../robot/description/supply.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { HealthFinding } from "../../hardware/health-monitor.ts";
import { servoName } from "../../hardware/servo-messages.ts";
import { JOINT_IDS } from "../../hardware/servos.ts";
import type { ConnectedRobot } from "../robot/connected-robot.ts";
import type { LoopParts } from "./loop-parts.ts";

/** A servo that loses its torque more often than this within the time has a cause that turning it on does not fix. */
const MAX_REPAIRS = 3;
const REPAIRS_WITHIN_MS = 30_000;

interface ServoFaultsOptions extends LoopParts {
  /** Called with a joint whose servo has shut down and is not turned on again by itself. */
  readonly onStopped: (joint: number) => void;
}

/** Reports what is wrong with servos. A torque that was lost without a danger is turned on again; else the robot stops. */
export class ServoFaults {
  readonly #options: ServoFaultsOptions;
  /** Joints whose servo has shut down and is not turned on again by itself. */
  readonly #faultyJoints = new Set<number>();
  /** Milliseconds of the clock at which a joint's torque was turned on again. */
  readonly #repairs = new Map<number, number[]>();
  /** What was reported of the supply last: it stays the same when the robot is connected again. */
  #supply = "";

  constructor(options: ServoFaultsOptions) {
    this.#options = options;
  }

  /** Call when the robot is connected. */
  clear(): void {
    this.#faultyJoints.clear();
    this.#repairs.clear();
  }

  /** Restarts the servos that have shut down, without torque. */
  async restartServos({ motors }: ConnectedRobot): Promise<void> {
    const joints = new Set([...this.#faultyJoints, ...(await motors.jointsShutDownByVoltage())]);
    await motors.restartServos([...joints]);
    this.clear();
  }

  /** @returns whether joints were left where they have sunk to, so that the goals have to lead them back */
  async handle(findings: readonly HealthFinding[], robot: ConnectedRobot): Promise<boolean> {
    const { status } = this.#options;
    const repairable: number[] = [];
    for (const finding of findings) {
      if (finding.kind === "unresponsive") this.#options.disconnect(finding.message);
      else if (finding.kind === "supply") this.#reportSupply(finding.message);
      else if (finding.kind === "torque-left") await this.#turnOff(finding.joint, finding.message, robot);
      else if (finding.kind === "warning") status.emit("fault", "warning", finding.message, { joint: finding.joint });
      else if (finding.isRepairable && this.#mayRepair(finding.joint, finding.message, robot))
        repairable.push(finding.joint);
      else if (!finding.isRepairable) this.#stop(finding.joint, finding.message, robot);
    }
    return repairable.length > 0 && this.#repair(repairable, robot);
  }

  #reportSupply(message: string): void {
    if (message !== this.#supply) this.#options.status.emit("supply", "warning", message);
    this.#supply = message;
  }

  /** The next check finds one that has not answered again. */
  async #turnOff(joint: number, message: string, { motors }: ConnectedRobot): Promise<void> {
    this.#options.status.emit("fault", "warning", message, { joint });
    await motors.disable([joint]).catch(() => undefined);
  }

  /** Reports a lost torque. @returns false when it was lost too often to be turned on again */
  #mayRepair(joint: number, why: string, robot: ConnectedRobot): boolean {
    const now = this.#options.clock.now();
    const recent = (this.#repairs.get(joint) ?? []).filter((at) => now - at < REPAIRS_WITHIN_MS);
    this.#repairs.set(joint, [...recent, now]);
    if (recent.length < MAX_REPAIRS) {
      this.#options.status.emit("fault", "warning", `${why}. The daemon turns it on again.`, { joint });
      return true;
    }
    const often = `It was turned on again ${MAX_REPAIRS} times within ${REPAIRS_WITHIN_MS / 1000} s`;
    const next = `Check its cable and the power supply (${SUPPLY_TEXT}), then turn the motors on again`;
    this.#stop(joint, `${why}. ${often}. ${next}.`, robot);
    return false;
  }

  async #repair(joints: readonly number[], robot: ConnectedRobot): Promise<boolean> {
    const repaired = await robot.repairTorque(joints).catch((): number[] => []);
    for (const joint of joints) {
      // The next check finds one that is still without torque again, or without an answer.
      robot.motors.torque[joint] = true;
      if (!repaired.includes(joint)) continue;
      const message = `${servoName(JOINT_IDS[joint] ?? 0)} has its torque again.`;
      this.#options.status.emit("fault", "info", message, { joint });
    }
    return true;
  }

  #stop(joint: number, message: string, { motors }: ConnectedRobot): void {
    const { status, moves, targets, onStopped } = this.#options;
    status.emit("fault", "error", message, { joint });
    motors.torque[joint] = false;
    onStopped(joint);
    this.#faultyJoints.add(joint);
    targets.clear();
    moves.fail(new WorkbenchError("robot-fault", message));
    status.setPhase("error", message);
  }
}
