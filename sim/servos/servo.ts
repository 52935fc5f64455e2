import { ALERT } from "../../robot/servo/protocol/packet.ts";
import { BAUD_RATES, OperatingMode, REGISTERS, Startup } from "../../robot/servo/registers/control-table.ts";
import { RATED_VOLTAGE, type ServoModel } from "../../robot/servo/registers/models.ts";
import { TICKS_PER_TURN } from "../../robot/servo/registers/units.ts";
import type { Assignment } from "./bus/write-rules.ts";
import { ControlTable, type Settings } from "./control-table.ts";
import { type FaultState, NO_FAULT } from "./health/fault-state.ts";
import { Health } from "./health/health.ts";
import { Watchdog } from "./health/watchdog.ts";
import type { Actuator } from "./motor/actuator.ts";
import { Encoder } from "./motor/encoder.ts";
import { Gearbox } from "./motor/gearbox.ts";
import { MotorControl } from "./motor/motor-control.ts";
import type { MotorParameters } from "./motor/motor-parameters.ts";
import { AveragedReadings, writeReadings } from "./telemetry.ts";

/** Seconds from a reboot until the servo replies: an estimate. A servo that is created has booted. */
export const BOOT_TIME = 0.3;

/** V below which a servo has no power and forgets its RAM: an estimate. Its lowest voltage limit is 3.1 V. */
const BROWN_OUT_VOLTAGE = 2.5;

/** State that changes at each step, in addition to the control table. */
interface StepState {
  /** Seconds until booting is finished. */
  bootLeft: number;
  /** Seconds since power-on or the end of a reboot. */
  uptime: number;
  volts: number;
  /** rad/s, at the last step. */
  velocity: number;
  /** A, of the last step; reading it from the motor again would be expensive. */
  current: number;
  /** A registered write that waits for an action. */
  registered?: readonly Assignment[] | undefined;
}

interface ServoOptions {
  model: ServoModel;
  motor: MotorParameters;
  actuator: Actuator;
  /** The assembled robot's register values: EEPROM, and RAM that is restored at each power-on. */
  settings: Settings;
  /** Ticks by which the horn is turned relative to the joint: the homing offset with which the servo reads the joint angle. */
  hornOffset: number;
}

/**
 * One servo: control table, measured values and protection. `bus/instructions.ts` executes the bus's instructions on it.
 * It has no clock; `advance` moves its time.
 */
export class Servo {
  readonly model: ServoModel;
  readonly controlTable = new ControlTable();
  readonly faultState: FaultState = { ...NO_FAULT };
  /** Number of instructions so far that have changed a goal, a setting or the power. */
  changes = 0;

  readonly #actuator: Gearbox;
  readonly #encoder: Encoder;
  readonly #motorControl: MotorControl;
  readonly #health: Health;
  readonly #watchdog = new Watchdog();
  readonly #state: StepState = { bootLeft: 0, uptime: 0, volts: RATED_VOLTAGE, velocity: 0, current: 0 };
  readonly #averaged = new AveragedReadings();

  constructor({ model, motor, actuator, settings, hornOffset }: ServoOptions) {
    this.model = model;
    this.#actuator = new Gearbox(actuator, this.faultState);
    this.#encoder = new Encoder(actuator, hornOffset);
    this.#motorControl = new MotorControl(motor, this.#actuator);
    this.#health = new Health(model, motor.resistance);
    this.controlTable.initialise(model, "eeprom");
    this.controlTable.initialise(model, "ram");
    this.controlTable.setAll(settings);
    this.controlTable.backUp();
    this.#powerOn();
  }

  get id(): number {
    return this.controlTable.read(REGISTERS.id);
  }

  /** The id of a group of servos, which receive writes to it and do not reply; 253 and above for none. */
  get secondaryId(): number {
    return this.controlTable.read(REGISTERS.secondaryId);
  }

  /** bit/s */
  get baudRate(): number {
    return BAUD_RATES[this.controlTable.read(REGISTERS.baudRate)] ?? 0;
  }

  /** Whether it receives instructions. */
  get isListening(): boolean {
    return !this.faultState.silent && this.#state.bootLeft <= 0;
  }

  /** The alert bit of its status packets. */
  get alert(): number {
    return this.controlTable.read(REGISTERS.hardwareErrorStatus) === 0 ? 0 : ALERT;
  }

  /** A, absolute current of the last step. */
  get load(): number {
    return Math.abs(this.#state.current);
  }

  get #torqueOn(): boolean {
    return this.controlTable.read(REGISTERS.torqueEnable) === 1;
  }

  get #current(): number {
    return (
      (this.#torqueOn ? this.#motorControl.currentAt(this.#actuator.velocity()) : 0) + this.faultState.extraCurrent
    );
  }

  /** Ticks; position control ignores an offset above a quarter turn (the manufacturer's manual, "Homing Offset"). */
  get #offset(): number {
    const offset = this.controlTable.read(REGISTERS.homingOffset);
    const isIgnored =
      this.controlTable.read(REGISTERS.operatingMode) === OperatingMode.position &&
      Math.abs(offset) > TICKS_PER_TURN / 4;
    return isIgnored ? 0 : offset;
  }

  get #position(): number {
    return this.#encoder.position + this.#offset;
  }

  /** A registered write that waits for an action. */
  get registered(): readonly Assignment[] | undefined {
    return this.#state.registered;
  }

  /** Stores a write for the next action; undefined removes it. */
  setRegisteredWrite(assignments: readonly Assignment[] | undefined): void {
    this.#state.registered = assignments;
  }

  /** Call for each instruction packet on the bus, also for those with another id. */
  onBusActivity(): void {
    this.#watchdog.idleSeconds = 0;
  }

  /** Updates the registers of measured values; call before they are read. */
  updateMeasurements(): void {
    const { uptime, volts, registered } = this.#state;
    writeReadings(this.controlTable, {
      position: this.#position,
      ...this.#averaged.values,
      volts,
      temperature: this.#health.temperature + this.faultState.extraHeat,
      trajectory: this.#torqueOn ? this.#motorControl.profile : { position: this.#position, velocity: 0 },
      uptime,
      hasRegistered: registered !== undefined,
    });
  }

  /** Carries out a write that the rules have let pass. */
  apply(assignments: readonly Assignment[]): void {
    const { controlTable } = this;
    // A driver repeats its goals; those that the servo has already change nothing.
    if (assignments.every(({ name, value }) => controlTable.get(name) === value)) return;
    this.changes += 1;
    const wasOn = this.#torqueOn;
    const before = controlTable.get("operatingMode");
    for (const { name, value } of assignments) controlTable.set(name, value);
    if (this.#health.hasTripped) controlTable.set("torqueEnable", 0);
    const mode = controlTable.get("operatingMode");
    const turnedOn = this.#torqueOn && !wasOn;
    if (mode !== before) controlTable.resetModeRegisters(this.model);
    // In position control the position is within one turn of the encoder (the manufacturer's manual, "Present Position").
    if (mode === OperatingMode.position && (turnedOn || mode !== before)) this.#encoder.clearTurns();
    if (turnedOn) this.#motorControl.profile.restart(this.#position);
    this.#configure();
  }

  /** Switches torque off immediately; after `BOOT_TIME` the state is that after power-on. */
  reboot(): void {
    this.changes += 1;
    this.#cutPower();
  }

  #cutPower(): void {
    this.controlTable.set("torqueEnable", 0);
    this.#motorControl.switchOff();
    this.#state.bootLeft = BOOT_TIME;
  }

  /** Removes whole turns from the present position. Returns false, without any change, while the servo moves. */
  clearTurns(): boolean {
    this.updateMeasurements();
    if (this.controlTable.get("moving") === 1) return false;
    this.changes += 1;
    this.#encoder.clearTurns();
    this.controlTable.set("goalPosition", this.#position);
    this.#motorControl.profile.restart(this.#position);
    this.#configure();
    return true;
  }

  /** Sets the injected faults; those that are not given are cleared. */
  setFaultState(faults: Partial<FaultState>): void {
    Object.assign(this.faultState, NO_FAULT, faults);
  }

  /** Advances by `dt` seconds. `volts` is the supply voltage under load. */
  advance(dt: number, volts: number): void {
    this.#averageReadings(dt);
    this.#runFirmware(dt, this.faultState.brownOut ? 0 : volts);
    this.#actuator.advance();
  }

  /** Of the time that has passed, in which the mechanism has moved at the voltage that the firmware set before. */
  #averageReadings(dt: number): void {
    const velocity = this.#actuator.velocity();
    const mean = (this.#state.velocity + velocity) / 2;
    this.#state.velocity = velocity;
    const [current, pwm] = this.#torqueOn ? [this.#motorControl.currentAt(mean), this.#motorControl.pwmShare] : [0, 0];
    this.#averaged.advance(dt, mean, current + this.faultState.extraCurrent, pwm);
  }

  #runFirmware(dt: number, volts: number): void {
    this.#state.uptime += dt;
    this.#state.volts = volts;
    if (volts < BROWN_OUT_VOLTAGE) {
      this.#cutPower();
      return;
    }
    this.#updateHealth(dt, volts);
    if (this.#state.bootLeft > 0) {
      this.#state.bootLeft -= dt;
      if (this.#state.bootLeft <= 0) this.#powerOn();
      return;
    }
    if (!this.#torqueOn) {
      this.#motorControl.switchOff();
      return;
    }
    if (this.#watchdog.advance(dt, this.controlTable)) this.#stopAndHold();
    this.#motorControl.advance(dt, volts, this.#position);
  }

  #updateHealth(dt: number, volts: number): void {
    this.#state.current = this.#current;
    this.#health.advance(dt, this.#state.current, volts, this.faultState);
    this.controlTable.write(REGISTERS.hardwareErrorStatus, this.#health.errors);
    if (this.#health.hasTripped) this.controlTable.set("torqueEnable", 0);
  }

  /** Makes the current position the goal and clears the other goals. */
  #stopAndHold(): void {
    this.controlTable.setAll({
      goalPosition: this.#position,
      goalVelocity: 0,
      profileAcceleration: 0,
      profileVelocity: 0,
    });
    if (this.controlTable.read(REGISTERS.operatingMode) === OperatingMode.current)
      this.controlTable.set("goalCurrent", 0);
    this.#motorControl.profile.restart(this.#position);
    this.#configure();
  }

  #powerOn(): void {
    const { controlTable } = this;
    const startup = controlTable.get("startupConfiguration");
    controlTable.initialise(this.model, "ram");
    if (startup & Startup.restoreRam) controlTable.restoreBackup("ram");
    if (startup & Startup.torqueOn) controlTable.set("torqueEnable", 1);
    this.#health.restart();
    this.#state.registered = undefined;
    this.#state.uptime = 0;
    this.#watchdog.idleSeconds = 0;
    this.#encoder.clearTurns();
    controlTable.set("goalPosition", this.#position);
    this.#motorControl.profile.restart(this.#position);
    this.#configure();
  }

  /** Passes the control table's values on, so that not every step has to read them. */
  #configure(): void {
    this.#health.configure(this.controlTable);
    this.#motorControl.configure(this.controlTable);
  }

  /** The complete state, except the joint, which is part of the physics snapshot. */
  save() {
    return {
      memory: this.controlTable.save(),
      motion: this.#motorControl.save(),
      gearbox: this.#actuator.save(),
      encoder: this.#encoder.save(),
      health: this.#health.save(),
      quiet: this.#watchdog.idleSeconds,
      faultState: { ...this.faultState },
      state: { ...this.#state },
      averaged: { ...this.#averaged.values },
    };
  }

  restore(saved: ServoState): void {
    this.controlTable.restore(saved.memory);
    this.#actuator.restore(saved.gearbox);
    this.#encoder.restore(saved.encoder);
    this.#health.restore(saved.health);
    this.#watchdog.idleSeconds = saved.quiet;
    Object.assign(this.faultState, saved.faultState);
    Object.assign(this.#state, saved.state);
    Object.assign(this.#averaged.values, saved.averaged);
    this.#configure();
    this.#motorControl.restore(saved.motion);
  }
}

export type ServoState = ReturnType<Servo["save"]>;
