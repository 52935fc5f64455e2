import { BAUD_RATES, OperatingMode, Startup } from "../../robot/servo/control-table.ts";
import { RATED_VOLTAGE, type ServoModel } from "../../robot/servo/models.ts";
import { ALERT } from "../../robot/servo/packet.ts";
import * as units from "../../robot/servo/units.ts";
import type { Actuator } from "./actuator.ts";
import { Health } from "./health.ts";
import { Memory, type Settings } from "./memory.ts";
import { Motion } from "./motion.ts";
import { pwmShare, torqueConstant } from "./motor.ts";
import type { Assignment } from "./write-rules.ts";

/** Seconds from power-on or reboot until a servo answers: an estimate. */
export const BOOT_TIME = 0.3;
/** A position counts as reached within this many ticks. */
const IN_POSITION_TICKS = 10;

/** What can be wrong with one servo beside what its load does to it. */
export interface Ailment {
  /** It neither hears nor answers, as with a torn wire. */
  silent: boolean;
  /** A on top of what the motor draws. */
  extraCurrent: number;
  /** K on top of its temperature. */
  extraHeat: number;
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
  readonly ailment: Ailment = { silent: false, extraCurrent: 0, extraHeat: 0 };
  /** A write that waits for an action. */
  registered: readonly Assignment[] | undefined;

  readonly #actuator: Actuator;
  readonly #hornOffset: number;
  readonly #motion: Motion;
  readonly #health: Health;
  /** Hardware errors that only a reboot clears. */
  #latched = 0;
  /** Whole turns left out of the present position. */
  #turns = 0;
  #bootLeft = 0;
  #sinceHeard = 0;
  #age = 0;
  #volts = RATED_VOLTAGE;

  constructor({ model, actuator, settings, referenceGain, hornOffset }: ServoOptions) {
    this.model = model;
    this.#actuator = actuator;
    this.#hornOffset = hornOffset;
    this.#motion = new Motion(model, actuator, referenceGain);
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
    return !this.ailment.silent && this.#bootLeft <= 0;
  }

  /** The alert bit of its status packets. */
  get alert(): number {
    return this.memory.get("hardwareErrorStatus") === 0 ? 0 : ALERT;
  }

  /** A that it draws, without a sign. */
  get load(): number {
    return Math.abs(this.#current);
  }

  get #torqueOn(): boolean {
    return this.memory.get("torqueEnable") === 1;
  }

  get #current(): number {
    const drawn = this.#torqueOn ? this.#actuator.torque() / torqueConstant(this.model) : 0;
    return drawn + this.ailment.extraCurrent;
  }

  /** Position register at joint angle -pi. */
  get #ticksAtZero(): number {
    return this.memory.get("homingOffset") - this.#hornOffset - this.#turns * units.TICKS_PER_TURN;
  }

  get #position(): number {
    return units.radiansToTicks(this.#actuator.position()) + this.#ticksAtZero;
  }

  /** Any instruction packet on the bus, whoever it is for. */
  hear(): void {
    this.#sinceHeard = 0;
  }

  /** Brings the registers of measured values up to date; they are only looked at when somebody reads. */
  measure(): void {
    const { memory } = this;
    const velocity = this.#actuator.velocity();
    const torque = this.#torqueOn ? this.#actuator.torque() : 0;
    const speed = units.radiansPerSecondToUnits(velocity);
    const position = this.#position;
    const { profile } = this.#motion;
    memory.set("presentPosition", position);
    memory.set("presentVelocity", speed);
    memory.set("presentCurrent", units.amperesToUnits(this.#current));
    memory.set("presentPwm", Math.round(885 * (this.#torqueOn ? pwmShare(this.model, torque, velocity) : 0)));
    memory.set("presentInputVoltage", units.voltsToUnits(this.#volts));
    memory.set("presentTemperature", Math.round(this.#health.temperature + this.ailment.extraHeat));
    memory.set("positionTrajectory", Math.round(profile.position));
    memory.set("velocityTrajectory", units.radiansPerSecondToUnits(units.ticksToRadiansPerSecond(profile.velocity)));
    memory.set("moving", Math.abs(speed) > memory.get("movingThreshold") ? 1 : 0);
    const there = Math.abs(memory.get("goalPosition") - position) <= IN_POSITION_TICKS ? 1 : 0;
    memory.set("movingStatus", there | (profile.velocity === 0 ? 0 : 2));
    memory.set("realtimeTick", Math.floor(this.#age * 1000) % 32_768);
    memory.set("registeredInstruction", this.registered === undefined ? 0 : 1);
    memory.set("backupReady", memory.hasBackup ? 1 : 0);
  }

  /** Carries out a write that the rules have let pass. */
  apply(assignments: readonly Assignment[]): void {
    const wasOn = this.#torqueOn;
    for (const { name, value } of assignments) this.memory.set(name, value);
    if (this.#latched !== 0) this.memory.set("torqueEnable", 0);
    if (this.#torqueOn && !wasOn) this.#motion.profile.restart(this.#position);
    this.#configure();
  }

  /** Torque off at once; after `BOOT_TIME` it is as after power-on. */
  reboot(): void {
    this.memory.set("torqueEnable", 0);
    this.#motion.release();
    this.#bootLeft = BOOT_TIME;
  }

  /** Takes whole turns out of the present position. False, and nothing done, while the servo moves. */
  clearTurns(): boolean {
    this.measure();
    if (this.memory.get("moving") === 1) return false;
    this.#turns = this.#wholeTurns();
    this.memory.set("goalPosition", this.#position);
    this.#motion.profile.restart(this.#position);
    this.#configure();
    return true;
  }

  /** Moves on by `dt` seconds; `volts` is what the supply has left. */
  advance(dt: number, volts: number): void {
    this.#age += dt;
    this.#volts = volts;
    this.#protect(dt, volts);
    if (this.#bootLeft > 0) {
      this.#bootLeft -= dt;
      if (this.#bootLeft <= 0) this.#start();
      return;
    }
    if (!this.#torqueOn) {
      this.#motion.release();
      return;
    }
    this.#watchBus(dt);
    this.#motion.advance(dt, volts);
  }

  /** Errors of the shutdown mask stay and take the torque; the others come and go with their cause. */
  #protect(dt: number, volts: number): void {
    const { memory } = this;
    const causes = this.#health.advance(dt, this.#current, volts, this.ailment.extraHeat, {
      temperature: memory.get("temperatureLimit"),
      minVoltage: units.unitsToVolts(memory.get("minVoltageLimit")),
      maxVoltage: units.unitsToVolts(memory.get("maxVoltageLimit")),
    });
    this.#latched |= causes & memory.get("shutdown");
    memory.set("hardwareErrorStatus", causes | this.#latched);
    if (this.#latched !== 0) memory.set("torqueEnable", 0);
  }

  /** Stops where it is when the bus has been quiet for longer than the watchdog allows. */
  #watchBus(dt: number): void {
    this.#sinceHeard += dt;
    const allowed = this.memory.get("busWatchdog") * units.WATCHDOG_UNIT;
    if (allowed <= 0 || this.#sinceHeard <= allowed) return;
    this.memory.set("busWatchdog", -1);
    this.memory.set("goalPosition", this.#position);
    this.memory.set("goalVelocity", 0);
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
    this.#latched = 0;
    this.#health.overloaded = 0;
    this.registered = undefined;
    this.#sinceHeard = 0;
    this.#turns = this.#wholeTurns();
    memory.set("goalPosition", this.#position);
    this.#motion.profile.restart(this.#position);
    this.#configure();
  }

  /** The encoder itself knows its angle within one turn only. */
  #wholeTurns(): number {
    const encoder = units.radiansToTicks(this.#actuator.position()) - this.#hornOffset;
    return Math.floor(encoder / units.TICKS_PER_TURN);
  }

  #configure(): void {
    this.#motion.configure(this.memory, this.#ticksAtZero);
  }

  /** All that it needs to go on bit by bit; its motor is saved by the physics. */
  save() {
    return {
      memory: this.memory.save(),
      motion: this.#motion.save(),
      temperature: this.#health.temperature,
      overloaded: this.#health.overloaded,
      ailment: { ...this.ailment },
      registered: this.registered,
      latched: this.#latched,
      turns: this.#turns,
      bootLeft: this.#bootLeft,
      sinceHeard: this.#sinceHeard,
      age: this.#age,
      volts: this.#volts,
    };
  }

  restore(state: ServoState): void {
    this.memory.restore(state.memory);
    this.#motion.restore(state.motion);
    this.#health.temperature = state.temperature;
    this.#health.overloaded = state.overloaded;
    Object.assign(this.ailment, state.ailment);
    this.registered = state.registered;
    this.#latched = state.latched;
    this.#turns = state.turns;
    this.#bootLeft = state.bootLeft;
    this.#sinceHeard = state.sinceHeard;
    this.#age = state.age;
    this.#volts = state.volts;
    this.#configure();
  }
}

export type ServoState = ReturnType<Servo["save"]>;
