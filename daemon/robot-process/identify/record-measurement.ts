import { type PreciseClock, sleep } from "../../../common/time/clock.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { calmDuration, goToSleep } from "../../../robot/motion/trajectory/choreography.ts";
import { gotoMove, type Move } from "../../../robot/motion/trajectory/move.ts";
import {
  decodeValue,
  hardwareErrors,
  REGISTERS,
  type RegisterName,
} from "../../../robot/servo/registers/control-table.ts";
import { unitsToAmperes, unitsToRadiansPerSecond, unitsToVolts } from "../../../robot/servo/registers/units.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { ConnectedRobot } from "../control/robot/connected-robot.ts";
import type { DiscoveredRobot } from "../hardware/bring-up.ts";
import { ALL_JOINTS, JOINT_IDS } from "../hardware/servos.ts";
import { excitation } from "./excitation.ts";
import type { Measurement } from "./measurement.ts";

const PERIOD_MS = 10;
/** The registers of a sample, in one read: goal to position; and those of health, each half second. */
const SAMPLE = { address: REGISTERS.goalPosition.address, length: 20 } as const;
const HEALTH = { address: REGISTERS.presentInputVoltage.address, length: 3 } as const;
const HEALTH_EVERY = 50;
/** What stops a measurement: rad off the goal, rad/s, A for a second, C. A missing servo stops it after a tenth of a second. */
const LIMITS = { error: 0.6, speed: 9, current: 1.1, heat: 60 } as const;
const HEAVY_SAMPLES = 100;
const MISSING_SAMPLES = 10;
/** Samples in which a joint has to turn, ticks, when its goal does. */
const TURNING_SAMPLES = 250;
const MOVING_GOAL = 150;
const STILL_POSITION = 15;
/** Where torque already is the voltage error alone is no reason to stop. */
const TOLERATED = ["inputVoltage"];

interface RecordOptions {
  readonly clock: PreciseClock;
  /** Aborted by Ctrl-C: the robot returns, and nothing is recorded. */
  readonly signal: AbortSignal;
  /** Called with the share of the measurement that is done. */
  readonly onProgress?: (share: number) => void;
}

type Sample = Readonly<Record<"goal" | "position" | "pwm" | "current" | "velocity", number>>;

/**
 * Measures nine servos: moves the robot for two minutes and reads goal, position, pulse width, current and velocity 100
 * times a second. Whatever happens, the robot then goes to its sleep pose and its motors are turned off.
 *
 * @throws WorkbenchError `robot-fault` when a limit is exceeded, `robot-not-ready` when a servo stops answering; the
 *   signal's reason
 */
export async function recordMeasurement(found: DiscoveredRobot, options: RecordOptions): Promise<Measurement> {
  const robot = new ConnectedRobot(found, options.clock);
  const recorder = new Recorder(robot, options);
  try {
    await robot.enableTorque();
    const from = robot.lastPosture;
    await recorder.run(gotoMove(from, DEFAULT_POSE, calmDuration(from, DEFAULT_POSE) + 0.5, "minjerk"));
    await recorder.run(excitation(), true);
  } finally {
    await recorder.returnToSleep();
  }
  return recorder.measurement(found.firmware);
}

class Recorder {
  readonly #robot: ConnectedRobot;
  readonly #options: RecordOptions;
  readonly #time: number[] = [];
  readonly #samples: Sample[][] = JOINTS.map(() => []);
  readonly #missing = JOINTS.map(() => 0);
  readonly #heavy = JOINTS.map(() => 0);
  readonly #volts: number[] = [];
  #heat = 0;
  #ticks = 0;

  constructor(robot: ConnectedRobot, options: RecordOptions) {
    this.#robot = robot;
    this.#options = options;
  }

  /** Runs a move, checks the limits, and keeps the samples when `isRecorded`. */
  async run(move: Move, isRecorded = false): Promise<void> {
    const { signal, onProgress, clock } = this.#options;
    const start = clock.now();
    for (let last = start; ; ) {
      signal.throwIfAborted();
      const now = clock.now();
      const seconds = (now - start) / 1000;
      const samples = await this.#read();
      if (isRecorded && samples !== undefined) this.#keep(seconds, samples);
      if (samples !== undefined) await this.#checkLimits(samples);
      if (this.#ticks++ % HEALTH_EVERY === 0) await this.#checkHealth();
      if (seconds > move.duration && this.#robot.hasSettled) return;
      await this.#robot.drive(move.sample(seconds), false, Math.max(0.001, Math.min(0.05, (now - last) / 1000)));
      last = now;
      if (isRecorded) onProgress?.(Math.min(1, seconds / move.duration));
      await sleep(clock, Math.max(0, now + PERIOD_MS - clock.now()));
    }
  }

  /** Leads the robot to its sleep pose and turns its motors off; as far as it answers. */
  async returnToSleep(): Promise<void> {
    const { clock } = this.#options;
    const robot = this.#robot;
    const move = goToSleep(robot.lastPosture);
    const start = clock.now();
    try {
      for (let last = start; clock.now() - start < 1000 * (move.duration + 0.5); ) {
        const now = clock.now();
        await robot.servos.readPresent();
        if (robot.servos.isUnresponsive) break;
        await robot.drive(
          move.sample((now - start) / 1000),
          false,
          Math.max(0.001, Math.min(0.05, (now - last) / 1000)),
        );
        last = now;
        await sleep(clock, PERIOD_MS);
      }
    } finally {
      // One after the other: a servo that does not answer must not keep the others on.
      for (const joint of ALL_JOINTS) await robot.motors.disable([joint]).catch(() => undefined);
    }
  }

  measurement(firmware: readonly number[]): Measurement {
    const column = (joint: number, name: keyof Sample) => (this.#samples[joint] ?? []).map((sample) => sample[name]);
    return {
      format: "servo-measurement",
      version: 1,
      time: this.#time,
      supply: this.#volts.reduce((sum, volts) => sum + volts, 0) / this.#volts.length,
      temperature: this.#heat,
      servos: JOINTS.map(({ id, name, model, gains }, joint) => ({
        id,
        joint: name,
        model,
        firmware: firmware[joint] ?? 0,
        pGain: gains.p,
        goal: column(joint, "goal"),
        position: column(joint, "position"),
        pwm: column(joint, "pwm"),
        current: column(joint, "current"),
        velocity: column(joint, "velocity"),
      })),
    };
  }

  /** One sample of each servo; undefined when one has not answered. */
  async #read(): Promise<Sample[] | undefined> {
    const answers = await this.#robot.servos.bus.syncRead(JOINT_IDS, SAMPLE.address, SAMPLE.length);
    const samples = answers.map((answer, joint) => {
      const isComplete = answer?.params.length === SAMPLE.length;
      this.#missing[joint] = isComplete ? 0 : (this.#missing[joint] ?? 0) + 1;
      if ((this.#missing[joint] ?? 0) > MISSING_SAMPLES) {
        const { id, name } = JOINTS[joint] ?? JOINTS[0];
        throw new WorkbenchError(
          "robot-not-ready",
          `Servo ${id} (${name}) stopped answering. Check its cable with robot-daemon scan, then measure again.`,
        );
      }
      if (answer === undefined || !isComplete) return undefined;
      const value = (name: RegisterName) =>
        decodeValue(REGISTERS[name], answer.params, REGISTERS[name].address - SAMPLE.address);
      return {
        goal: value("goalPosition"),
        position: value("presentPosition"),
        pwm: value("presentPwm"),
        current: value("presentCurrent"),
        velocity: value("presentVelocity"),
      };
    });
    return samples.includes(undefined) ? undefined : (samples as Sample[]);
  }

  #keep(seconds: number, samples: readonly Sample[]): void {
    if (seconds <= (this.#time.at(-1) ?? -1)) return;
    this.#time.push(seconds);
    for (const [joint, sample] of samples.entries()) this.#samples[joint]?.push(sample);
  }

  async #checkLimits(samples: readonly Sample[]): Promise<void> {
    const exceeded = this.#exceeded(samples);
    if (exceeded === undefined) return;
    // A servo that has shut down says why.
    await this.#checkHealth();
    throw exceeded;
  }

  #exceeded(samples: readonly Sample[]): WorkbenchError | undefined {
    for (const [joint, { goal, position, velocity, current }] of samples.entries()) {
      const amperes = Math.abs(unitsToAmperes(current));
      this.#heavy[joint] = amperes > LIMITS.current ? (this.#heavy[joint] ?? 0) + 1 : 0;
      const error = (Math.abs(goal - position) * 2 * Math.PI) / 4096;
      if (error > LIMITS.error) return stopped(joint, `is ${error.toFixed(2)} rad off its goal`, `${LIMITS.error} rad`);
      const speed = Math.abs(unitsToRadiansPerSecond(velocity));
      if (speed > LIMITS.speed) return stopped(joint, `turns with ${speed.toFixed(1)} rad/s`, `${LIMITS.speed} rad/s`);
      if ((this.#heavy[joint] ?? 0) > HEAVY_SAMPLES) {
        return stopped(joint, `has drawn ${amperes.toFixed(2)} A for a second`, `${LIMITS.current} A`);
      }
    }
    return undefined;
  }

  /** A blocked joint stays where it is while its goal moves. */
  #checkTurning(): void {
    for (const [joint, samples] of this.#samples.entries()) {
      const recent = samples.slice(-TURNING_SAMPLES);
      const range = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
      const [wanted, turned] = [range(recent.map(({ goal }) => goal)), range(recent.map(({ position }) => position))];
      if (recent.length === TURNING_SAMPLES && wanted > MOVING_GOAL && turned < STILL_POSITION) {
        throw stopped(
          joint,
          `has not turned although its goal has moved by ${wanted} ticks`,
          "a joint that nothing blocks",
        );
      }
    }
  }

  async #checkHealth(): Promise<void> {
    const { bus } = this.#robot.servos;
    const [health, errors] = [
      await bus.syncRead(JOINT_IDS, HEALTH.address, HEALTH.length),
      await bus.syncRead(JOINT_IDS, REGISTERS.hardwareErrorStatus.address, 1),
    ];
    const volts: number[] = [];
    for (const [joint, answer] of health.entries()) {
      if (answer?.params.length !== HEALTH.length) continue;
      volts.push(unitsToVolts(decodeValue(REGISTERS.presentInputVoltage, answer.params)));
      const heat = answer.params[2] ?? 0;
      this.#heat = Math.max(this.#heat, heat);
      if (heat > LIMITS.heat) throw stopped(joint, `has ${heat} °C`, `${LIMITS.heat} °C`);
    }
    if (volts.length > 0) this.#volts.push(volts.reduce((sum, one) => sum + one, 0) / volts.length);
    this.#checkTurning();
    for (const [joint, answer] of errors.entries()) {
      const [error] = hardwareErrors(answer?.params[0] ?? 0).filter((name) => !TOLERATED.includes(name));
      if (error !== undefined) throw stopped(joint, `reports ${error}`, "no hardware error");
    }
  }
}

function stopped(joint: number, what: string, allowed: string): WorkbenchError {
  const { id, name } = JOINTS[joint] ?? JOINTS[0];
  return new WorkbenchError(
    "robot-fault",
    `The measurement was stopped: servo ${id} (${name}) ${what}; allowed: ${allowed}. Remove what holds the robot, let it cool, and measure again.`,
  );
}
