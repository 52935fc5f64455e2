import type { PreciseClock } from "../../../common/time/clock.ts";
import { JOINTS } from "../../../robot/description/joints.ts";
import { DEFAULT_POSE } from "../../../robot/description/poses.ts";
import { calmDuration, goToSleep } from "../../../robot/motion/trajectory/built-in-moves.ts";
import { gotoMove, type Move } from "../../../robot/motion/trajectory/move.ts";
import { decodeValue, hardwareErrors, REGISTERS } from "../../../robot/servo/registers/control-table.ts";
import { unitsToVolts } from "../../../robot/servo/registers/units.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { ConnectedRobot } from "../control/robot/connected-robot.ts";
import type { DiscoveredRobot } from "../hardware/bring-up.ts";
import { ALL_JOINTS, JOINT_IDS, type Sample } from "../hardware/servos.ts";
import { excitation } from "./excitation.ts";
import type { Measurement } from "./measurement.ts";
import { findBlockedJoint, LoadLimits, MOST_HEAT, stopped } from "./measurement-limits.ts";

const PERIOD_MS = 10;
/**
 * Goals sent from one sample to the next. Each goal lets the current jump, and it falls until the next one: the servos average
 * it over about 10 ms, so a sample would always meet it low, by a current proportional to speed. That looks like less viscous
 * friction: with one goal for each sample, a sixth too little. The error falls with the square of this number.
 */
const GOALS_PER_SAMPLE = 4;
/** Voltage and temperature in one read, each half second. */
const HEALTH = { address: REGISTERS.presentInputVoltage.address, length: 3 } as const;
const HEALTH_EVERY = 50;
/** Reads in a row without an answer of a servo, after which it counts as lost. */
const MISSING_SAMPLES = 10;
/** Where torque already is the voltage error alone is no reason to stop. */
const TOLERATED = ["inputVoltage"];

interface RecordOptions {
  readonly clock: PreciseClock;
  /** Aborted by Ctrl-C: the robot returns, and nothing is recorded. */
  readonly signal: AbortSignal;
  /** Called with the share of the measurement that is done. */
  readonly onProgress?: (share: number) => void;
}

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
  readonly #load = new LoadLimits();
  readonly #volts: number[] = [];
  #heat = 0;
  #ticks = 0;

  constructor(robot: ConnectedRobot, options: RecordOptions) {
    this.#robot = robot;
    this.#options = options;
  }

  /** Runs a move until the goals have arrived, checks the limits, and keeps the samples when `isRecorded`. */
  run(move: Move, isRecorded = false): Promise<void> {
    const { signal, onProgress } = this.#options;
    return this.#follow(move, async (seconds) => {
      signal.throwIfAborted();
      const samples = await this.#read();
      if (isRecorded && samples !== undefined) this.#keep(seconds, samples);
      if (samples !== undefined) await this.#checkLimits(samples);
      if (this.#ticks++ % HEALTH_EVERY === 0) await this.#checkHealth();
      if (isRecorded) onProgress?.(Math.min(1, seconds / move.duration));
      return seconds > move.duration && this.#robot.hasSettled;
    });
  }

  /** Leads the robot to its sleep pose and turns its motors off; as far as it answers. */
  async returnToSleep(): Promise<void> {
    const { servos, motors, lastPosture } = this.#robot;
    const move = goToSleep(lastPosture);
    try {
      await this.#follow(move, async (seconds) => {
        await servos.readPresent();
        return servos.isUnresponsive || seconds > move.duration + 0.5;
      });
    } finally {
      // One after the other: a servo that does not answer must not keep the others on.
      for (const joint of ALL_JOINTS) await motors.disable([joint]).catch(() => undefined);
    }
  }

  /** Sends a move's waypoints, some in each period, until `read`, which is called once in each, says that it is over. */
  async #follow(move: Move, read: (seconds: number) => Promise<boolean>): Promise<void> {
    const { clock } = this.#options;
    const start = clock.now();
    for (let last = start; ; ) {
      const began = clock.now();
      if (await read((began - start) / 1000)) return;
      for (let goal = 0; goal < GOALS_PER_SAMPLE; goal += 1) {
        await this.#waitUntil(began + (goal * PERIOD_MS) / GOALS_PER_SAMPLE);
        const now = clock.now();
        const sinceLast = Math.max(0.001, Math.min(0.05, (now - last) / 1000));
        await this.#robot.drive(move.sample((now - start) / 1000), false, sinceLast);
        last = now;
      }
      await this.#waitUntil(began + PERIOD_MS);
    }
  }

  async #waitUntil(time: number): Promise<void> {
    const { clock } = this.#options;
    if (time > clock.now()) await new Promise<void>((resolve) => void clock.at(time, resolve));
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
    const { servos } = this.#robot;
    const samples = await servos.readSamples();
    const lost = JOINTS[servos.missedReads.findIndex((reads) => reads > MISSING_SAMPLES)];
    if (lost !== undefined) {
      throw new WorkbenchError(
        "robot-not-ready",
        `Servo ${lost.id} (${lost.name}) stopped answering. End any other program that uses the robot, check the cable with robot-daemon scan, and measure again.`,
      );
    }
    return samples.includes(undefined) ? undefined : (samples as Sample[]);
  }

  #keep(seconds: number, samples: readonly Sample[]): void {
    if (seconds <= (this.#time.at(-1) ?? -1)) return;
    this.#time.push(seconds);
    for (const [joint, sample] of samples.entries()) this.#samples[joint]?.push(sample);
  }

  async #checkLimits(samples: readonly Sample[]): Promise<void> {
    const exceeded = this.#load.exceeded(samples);
    if (exceeded === undefined) return;
    // A servo that has shut down says why.
    await this.#checkHealth();
    throw exceeded;
  }

  async #checkHealth(): Promise<void> {
    const { servos } = this.#robot;
    const health = await servos.bus.syncRead(JOINT_IDS, HEALTH.address, HEALTH.length);
    const errors = await servos.readHealth();
    const volts: number[] = [];
    for (const [joint, answer] of health.entries()) {
      if (answer?.params.length !== HEALTH.length) continue;
      volts.push(unitsToVolts(decodeValue(REGISTERS.presentInputVoltage, answer.params)));
      const heat = answer.params[2] ?? 0;
      this.#heat = Math.max(this.#heat, heat);
      if (heat > MOST_HEAT) throw stopped(joint, `has ${heat} °C`, `${MOST_HEAT} °C`);
    }
    if (volts.length > 0) this.#volts.push(volts.reduce((sum, one) => sum + one, 0) / volts.length);
    const blocked = findBlockedJoint(this.#samples);
    if (blocked !== undefined) throw blocked;
    for (const [joint, answer] of errors.entries()) {
      const [error] = hardwareErrors(answer?.hardwareError ?? 0).filter((name) => !TOLERATED.includes(name));
      if (error !== undefined) throw stopped(joint, `reports ${error}`, "no hardware error");
    }
  }
}
