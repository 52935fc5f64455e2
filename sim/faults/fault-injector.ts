import { JOINTS, type JointName } from "../../robot/description/joints.ts";
import type { ServoModel } from "../../robot/servo/registers/models.ts";
import type { ServoBus } from "../servos/bus/bus.ts";
import type { FaultState } from "../servos/health/fault-state.ts";
import { type Fault, type FaultKind, isActive } from "./fault.ts";

/** Maximum noise before a packet. */
const MAX_NOISE_BYTES = 8;

/** Applies faults to bytes on the wire, to servos and to the supply. The same random numbers give the same faults. */
export class FaultInjector {
  /** All that were added, also those that are over or to come. */
  faults: readonly Fault[];
  readonly #random: () => number;

  constructor(faults: readonly Fault[], random: () => number) {
    this.faults = faults;
    this.#random = random;
  }

  /** Adds a fault; its times count from `time`. */
  add(fault: Fault, time: number): void {
    this.faults = [...this.faults, { ...fault, from: fault.from + time, until: fault.until + time }];
  }

  /** Ends all faults, including future ones. */
  endAll(time: number): void {
    this.faults = this.faults.map((fault) => ({ ...fault, until: Math.min(fault.until, time) }));
  }

  isPlugged(time: number): boolean {
    return !this.#active("unplug", time).length;
  }

  /** Applies faults to a packet; returns undefined when it is lost. */
  injectIntoPacket(bytes: Uint8Array, time: number): Uint8Array | undefined {
    if (this.#pickFor("drop", time) !== undefined) return undefined;
    let injected = bytes;
    if (this.#pickFor("corrupt", time)) {
      injected = injected.slice();
      const at = this.#below(injected.length);
      injected[at] = (injected[at] ?? 0) ^ (1 << this.#below(8));
    }
    if (this.#pickFor("garble", time)) {
      const noise = Array.from({ length: 1 + this.#below(MAX_NOISE_BYTES) }, () => this.#below(256));
      injected = Uint8Array.of(...noise, ...injected);
    }
    return injected;
  }

  /** Seconds by which a reply is delayed. */
  replyDelay(time: number): number {
    return (this.#pickFor("delay", time)?.values.ms ?? 0) / 1000;
  }

  /** Sets the fault states of servos and supply for this time. */
  apply(bus: ServoBus, time: number): void {
    if (this.faults.length === 0) return;
    bus.supplyVoltage = this.#active("undervoltage", time).at(-1)?.values.volts ?? bus.nominalSupply;
    JOINTS.forEach(({ name }, index) => {
      const servo = bus.servos[index];
      servo?.setFaultState(this.#faultStateOf(name, servo.model, time));
    });
  }

  #faultStateOf(joint: JointName, model: ServoModel, time: number): Partial<FaultState> {
    const has = (kind: FaultKind) => this.#active(kind, time).find((fault) => fault.joints.includes(joint));
    return {
      silent: has("silent") !== undefined,
      brownOut: has("brownout") !== undefined,
      latch: has("latch") !== undefined,
      extraCurrent: has("overload") === undefined ? 0 : model.stallCurrent,
      extraHeat: has("overheat")?.values.kelvin ?? 0,
      stuck: has("stuck") !== undefined,
      friction: has("friction")?.values.torque ?? 0,
      cogging: has("cogging")?.values.torque ?? 0,
    };
  }

  #active(kind: FaultKind, time: number): Fault[] {
    return this.faults.filter((fault) => fault.kind === kind && isActive(fault, time));
  }

  /** The first active fault of this kind that the random numbers select for a packet. */
  #pickFor(kind: FaultKind, time: number): Fault | undefined {
    return this.#active(kind, time).find((fault) => this.#random() < fault.values.rate);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}
