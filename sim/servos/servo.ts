import { BAUD_RATES, OperatingMode, Startup } from "../../robot/servo/control-table.ts";
import { RATED_VOLTAGE, type ServoModel } from "../../robot/servo/models.ts";
import { ALERT } from "../../robot/servo/packet.ts";
import { TICKS_PER_TURN } from "../../robot/servo/units.ts";
import type { Actuator } from "./actuator.ts";
import { type Ailment, HEALTHY } from "./ailment.ts";
import { Encoder } from "./encoder.ts";
import { Gearbox } from "./gearbox.ts";
import { Health } from "./health.ts";
import { Memory, type Settings } from "./memory.ts";
import { Motion } from "./motion.ts";
import { pwmShare, torqueConstant } from "./motor.ts";
import { report } from "./telemetry.ts";
import { Watchdog } from "./watchdog.ts";
import type { Assignment } from "./write-rules.ts";

/** Seconds from power-on or reboot until a servo answers: an estimate. */
export const BOOT_TIME = 0.3;

/** What changes from step to step beside the control table. */
interface State {
  /** Seconds until it is up again. */
  bootLeft: number;
  /** Seconds since power-on. */
  age: number;
  volts: number;
  /** A that it drew in its last step; asking the motor again would cost more than all else here. */
  current: number;
  /** A write that waits for an action. */
  registered?: readonly Assignment[] | undefined;
}

export interface ServoOptions {
  model: ServoModel;
  actuator: Actuator;
  /** What the assembled robot's control table holds: EEPROM, and RAM that it restores at each start. */
  settings: Settings;
  /** Position P gain that stands for the robot's measured stiffness. */
  referenceGain: number;
  /** Ticks that the horn is turned by against the joint: homing offset of a servo that reads the joint's angle. */
  hornOffset: number;
}

/**
 * One servo: its control table, what it measures and how it protects itself. `instructions.ts` is its way to the bus.
 * No clock of its own: `advance` is its time.
 */
export class Servo {
  readonly model: ServoModel;
  readonly memory = new Memory();
  readonly ailment: Ailment = { ...HEALTHY };

  readonly #actuator: Gearbox;
  readonly #encoder: Encoder;
  readonly #motion: Motion;
  readonly #health: Health;
  readonly #watchdog = new Watchdog();
  readonly #state: State = { bootLeft: 0, age: 0, volts: RATED_VOLTAGE, current: 0 };

  constructor({ model, actuator, settings, referenceGain, hornOffset }: ServoOptions) {
    this.model = model;
    this.#actuator = new Gearbox(actuator, this.ailment);
    this.#encoder = new Encoder(actuator, hornOffset);
    this.#motion = new Motion(model, this.#actuator, referenceGain);
    this.#health = new Health(model);
    this.memory.initialise(model, "eeprom");
    this.memory.initialise(model, "ram");
    this.memory.setAll(settings);
    this.memory.backUp();
    this.#start();
  }

  get id(): number {
    return this.memory.get("id");
  }

  /** bit/s */
  get baudRate(): number {
    return BAUD_RATES[this.memory.get("baudRate")] ?? 0;
  }

  /** Whether it takes part in what happens on the bus. */
  get isListening(): boolean {
    return !this.ailment.silent && this.#state.bootLeft <= 0;
  }

  /** The alert bit of its status packets. */
  get alert(): number {
    return this.memory.get("hardwareErrorStatus") === 0 ? 0 : ALERT;
  }

  /** A that it drew in its last step, without a sign. */
  get load(): number {
    return Math.abs(this.#state.current);
  }

  get #torqueOn(): boolean {
    return this.memory.get("torqueEnable") === 1;
  }

  get #current(): number {
    const drawn = this.#torqueOn ? this.#actuator.torque() / torqueConstant(this.model) : 0;
    return drawn + this.ailment.extraCurrent;
  }

  /** Ticks; position control ignores an offset beyond a quarter turn (the maker's manual, "Homing Offset"). */
  get #offset(): number {
    const offset = this.memory.get("homingOffset");
    const isIgnored =
      this.memory.get("operatingMode") === OperatingMode.position && Math.abs(offset) > TICKS_PER_TURN / 4;
    return isIgnored ? 0 : offset;
  }

  get #position(): number {
    return this.#encoder.position + this.#offset;
  }

  /** A write that waits for an action. */
  get registered(): readonly Assignment[] | undefined {
    return this.#state.registered;
  }

  /** Keeps a write for the next action; undefined forgets it. */
  register(assignments: readonly Assignment[] | undefined): void {
    this.#state.registered = assignments;
  }

  /** Any instruction packet on the bus, whoever it is for. */
  hear(): void {
    this.#watchdog.hear();
  }

  /** Brings the registers of measured values up to date; they are only looked at when somebody reads. */
  measure(): void {
    const { age, volts, registered } = this.#state;
    const { profile } = this.#motion;
    const velocity = this.#actuator.velocity();
    const torque = this.#torqueOn ? this.#actuator.torque() : 0;
    report(this.memory, {
      position: this.#position,
      velocity,
      current: this.#current,
      pwm: this.#torqueOn ? pwmShare(this.model, torque, velocity) : 0,
      volts,
      temperature: this.#health.temperature + this.ailment.extraHeat,
      trajectory: { position: profile.position, velocity: profile.velocity },
      age,
      hasRegistered: registered !== undefined,
    });
  }

  /** Carries out a write that the rules have let pass. */
  apply(assignments: readonly Assignment[]): void {
    const { memory } = this;
    const wasOn = this.#torqueOn;
    const before = memory.get("operatingMode");
    for (const { name, value } of assignments) memory.set(name, value);
    if (this.#health.hasTripped) memory.set("torqueEnable", 0);
    const mode = memory.get("operatingMode");
    const turnedOn = this.#torqueOn && !wasOn;
    if (mode !== before) memory.enterMode(this.model);
    // In position control the encoder alone says where it is (the maker's manual, "Present Position").
    if (mode === OperatingMode.position && (turnedOn || mode !== before)) this.#encoder.dropTurns();
    if (turnedOn) this.#motion.profile.restart(this.#position);
    this.#configure();
  }

  /** Torque off at once; after `BOOT_TIME` it is as after power-on. */
  reboot(): void {
    this.memory.set("torqueEnable", 0);
    this.#motion.release();
    this.#state.bootLeft = BOOT_TIME;
  }

  /** Takes whole turns out of the present position. False, and nothing done, while the servo moves. */
  clearTurns(): boolean {
    this.measure();
    if (this.memory.get("moving") === 1) return false;
    this.#encoder.dropTurns();
    this.memory.set("goalPosition", this.#position);
    this.#motion.profile.restart(this.#position);
    this.#configure();
    return true;
  }

  /** Sets what is wrong with it; all that is not named is well. */
  ail(ailment: Partial<Ailment>): void {
    Object.assign(this.ailment, HEALTHY, ailment);
  }

  /** Moves on by `dt` seconds; `volts` is what the supply has left. */
  advance(dt: number, volts: number): void {
    this.#operate(dt, volts);
    this.#actuator.advance();
  }

  #operate(dt: number, volts: number): void {
    this.#state.age += dt;
    this.#state.volts = volts;
    this.#protect(dt, volts);
    if (this.#state.bootLeft > 0) {
      this.#state.bootLeft -= dt;
      if (this.#state.bootLeft <= 0) this.#start();
      return;
    }
    if (!this.#torqueOn) {
      this.#motion.release();
      return;
    }
    if (this.#watchdog.advance(dt, this.memory)) this.#freeze();
    this.#motion.advance(dt, volts);
  }

  #protect(dt: number, volts: number): void {
    this.#state.current = this.#current;
    this.#health.advance(dt, this.#state.current, volts, this.ailment.extraHeat);
    this.memory.set("hardwareErrorStatus", this.#health.errors);
    if (this.#health.hasTripped) this.memory.set("torqueEnable", 0);
  }

  /** Stops where it is. */
  #freeze(): void {
    this.memory.setAll({ goalPosition: this.#position, goalVelocity: 0, profileAcceleration: 0, profileVelocity: 0 });
    if (this.memory.get("operatingMode") === OperatingMode.current) this.memory.set("goalCurrent", 0);
    this.#motion.profile.restart(this.#position);
    this.#configure();
  }

  #start(): void {
    const { memory } = this;
    const startup = memory.get("startupConfiguration");
    memory.initialise(this.model, "ram");
    if (startup & Startup.restoreRam) memory.restoreBackup();
    if (startup & Startup.torqueOn) memory.set("torqueEnable", 1);
    this.#health.restart();
    this.#state.registered = undefined;
    this.#watchdog.hear();
    this.#encoder.dropTurns();
    memory.set("goalPosition", this.#position);
    this.#motion.profile.restart(this.#position);
    this.#configure();
  }

  /** Takes over what the control table says, so that not every step has to read it. */
  #configure(): void {
    this.#health.configure(this.memory);
    this.#motion.configure(this.memory, this.#encoder.ticksAtZero + this.#offset);
  }

  /** All that it needs to go on bit by bit; its joint is saved by the physics. */
  save() {
    return {
      memory: this.memory.save(),
      motion: this.#motion.save(),
      gearbox: this.#actuator.save(),
      turns: this.#encoder.turns,
      health: this.#health.save(),
      quiet: this.#watchdog.quiet,
      ailment: { ...this.ailment },
      state: { ...this.#state },
    };
  }

  restore(saved: ServoState): void {
    this.memory.restore(saved.memory);
    this.#motion.restore(saved.motion);
    this.#actuator.restore(saved.gearbox);
    this.#encoder.turns = saved.turns;
    this.#health.restore(saved.health);
    this.#watchdog.quiet = saved.quiet;
    Object.assign(this.ailment, saved.ailment);
    Object.assign(this.#state, saved.state);
    this.#configure();
  }
}

export type ServoState = ReturnType<Servo["save"]>;
