import { FULL_PWM, REGISTERS } from "../../robot/servo/registers/control-table.ts";
import * as units from "../../robot/servo/registers/units.ts";
import type { ControlTable } from "./control-table.ts";

/** A position counts as reached within this number of ticks. */
const IN_POSITION_TICKS = 10;
const REALTIME_TICK_MODULUS = 32_768;
/** Bits of the register movingStatus (the manufacturer's manual, "Moving Status"). */
const MovingStatus = { inPosition: 1, followsProfile: 2 };

/** Measured values of a servo. */
interface Readings {
  /** Value of the position register, ticks. */
  readonly position: number;
  /** rad/s */
  readonly velocity: number;
  /** A; the sign is the torque's direction. */
  readonly current: number;
  /** Share of the full pulse width, -1 to 1. */
  readonly pwm: number;
  readonly volts: number;
  /** C */
  readonly temperature: number;
  /** Current state of the profile, which ends when torque is switched off: ticks, ticks/s. */
  readonly trajectory: { readonly position: number; readonly velocity: number };
  /** Seconds since power-on. */
  readonly uptime: number;
  /** Whether a registered write waits for an action. */
  readonly hasRegistered: boolean;
}

/** Writes measured values into their registers. */
export function writeReadings(memory: ControlTable, readings: Readings): void {
  const { position, trajectory } = readings;
  const speed = units.radiansPerSecondToUnits(readings.velocity);
  const isInPosition = Math.abs(memory.read(REGISTERS.goalPosition) - position) <= IN_POSITION_TICKS;
  memory.write(REGISTERS.presentPosition, position);
  memory.write(REGISTERS.presentVelocity, speed);
  memory.write(REGISTERS.presentCurrent, units.amperesToUnits(readings.current));
  memory.write(REGISTERS.presentPwm, Math.round(FULL_PWM * readings.pwm));
  memory.write(REGISTERS.presentInputVoltage, units.voltsToUnits(readings.volts));
  memory.write(REGISTERS.presentTemperature, Math.round(readings.temperature));
  memory.write(REGISTERS.positionTrajectory, Math.round(trajectory.position));
  memory.write(
    REGISTERS.velocityTrajectory,
    units.radiansPerSecondToUnits(units.ticksToRadiansPerSecond(trajectory.velocity)),
  );
  const isMoving = trajectory.velocity !== 0;
  memory.write(REGISTERS.moving, isMoving || Math.abs(speed) > memory.read(REGISTERS.movingThreshold) ? 1 : 0);
  memory.write(
    REGISTERS.movingStatus,
    (isInPosition ? MovingStatus.inPosition : 0) | (isMoving ? MovingStatus.followsProfile : 0),
  );
  memory.write(REGISTERS.realtimeTick, Math.floor(readings.uptime * 1000) % REALTIME_TICK_MODULUS);
  memory.write(REGISTERS.registeredInstruction, readings.hasRegistered ? 1 : 0);
  memory.write(REGISTERS.backupReady, memory.hasBackup ? 1 : 0);
}

/**
 * Seconds over which the firmware averages velocity, current and pulse width before it reports them. Chosen: the resolution
 * of its velocity is a small fraction of one tick of the encoder in a sample.
 */
const AVERAGING_TIME = 0.01;

/** What a servo's firmware reports of its motor: rad/s, A, and share of the full pulse width. */
export class AveragedReadings {
  readonly values = { velocity: 0, current: 0, pwm: 0 };

  /** Advances by `dt` seconds, in which the motor had these values. */
  advance(dt: number, velocity: number, current: number, pwm: number): void {
    const { values } = this;
    const share = 1 - Math.exp(-dt / AVERAGING_TIME);
    values.velocity += share * (velocity - values.velocity);
    values.current += share * (current - values.current);
    values.pwm += share * (pwm - values.pwm);
  }
}
