import { FULL_PWM } from "../../robot/servo/control-table.ts";
import * as units from "../../robot/servo/units.ts";
import type { Memory } from "./memory.ts";

/** A position counts as reached within this many ticks. */
const IN_POSITION_TICKS = 10;
const TICKS_OF_THE_CLOCK = 32_768;

/** What a servo measures of itself. */
export interface Readings {
  /** As the position register counts, ticks. */
  readonly position: number;
  /** rad/s */
  readonly velocity: number;
  /** A, with the direction of the torque. */
  readonly current: number;
  /** Share of the full pulse width, -1..1. */
  readonly pwm: number;
  readonly volts: number;
  /** C */
  readonly temperature: number;
  /** Where the profile is: ticks, ticks/s. */
  readonly trajectory: { readonly position: number; readonly velocity: number };
  /** Seconds since power-on. */
  readonly age: number;
  /** Whether a write waits for an action. */
  readonly hasRegistered: boolean;
}

/** Puts readings into the registers that hold them. */
export function report(memory: Memory, readings: Readings): void {
  const { position, trajectory } = readings;
  const speed = units.radiansPerSecondToUnits(readings.velocity);
  const isThere = Math.abs(memory.get("goalPosition") - position) <= IN_POSITION_TICKS;
  memory.set("presentPosition", position);
  memory.set("presentVelocity", speed);
  memory.set("presentCurrent", units.amperesToUnits(readings.current));
  memory.set("presentPwm", Math.round(FULL_PWM * readings.pwm));
  memory.set("presentInputVoltage", units.voltsToUnits(readings.volts));
  memory.set("presentTemperature", Math.round(readings.temperature));
  memory.set("positionTrajectory", Math.round(trajectory.position));
  memory.set("velocityTrajectory", units.radiansPerSecondToUnits(units.ticksToRadiansPerSecond(trajectory.velocity)));
  const isUnderWay = trajectory.velocity !== 0;
  memory.set("moving", isUnderWay || Math.abs(speed) > memory.get("movingThreshold") ? 1 : 0);
  memory.set("movingStatus", (isThere ? 1 : 0) | (isUnderWay ? 2 : 0));
  memory.set("realtimeTick", Math.floor(readings.age * 1000) % TICKS_OF_THE_CLOCK);
  memory.set("registeredInstruction", readings.hasRegistered ? 1 : 0);
  memory.set("backupReady", memory.hasBackup ? 1 : 0);
}
