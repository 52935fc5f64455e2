import { JOINTS, type JointName } from "../../robot/description/joints.ts";
import type { ServoModel } from "../../robot/servo/models.ts";
import type { Ailment } from "../servos/ailment.ts";
import { type ServoBus, SUPPLY_VOLTAGE } from "../servos/bus.ts";
import { type Fault, type FaultKind, isActive } from "./fault.ts";

/** Longest noise before a packet, bytes. */
const LONGEST_NOISE = 8;

/** Lets faults happen: to bytes on the wire, to servos, to the supply. The same random numbers give the same faults. */
export class Faults {
  #faults: readonly Fault[];
  readonly #random: () => number;

  constructor(faults: readonly Fault[], random: () => number) {
    this.#faults = faults;
    this.#random = random;
  }

  /** Adds a fault whose times count from `time` on. */
  begin(fault: Fault, time: number): void {
    this.#faults = [...this.#faults, { ...fault, from: fault.from + time, until: fault.until + time }];
  }

  /** Ends every fault, also those that were still to come. */
  endAll(time: number): void {
    this.#faults = this.#faults.map((fault) => ({ ...fault, until: Math.min(fault.until, time) }));
  }

  isPlugged(time: number): boolean {
    return !this.#active("unplug", time).length;
  }

  /** A packet after its way over the wire; undefined when it is lost. */
  spoil(bytes: Uint8Array, time: number): Uint8Array | undefined {
    if (this.#strikes("drop", time) !== undefined) return undefined;
    let spoilt = bytes;
    if (this.#strikes("corrupt", time)) {
      spoilt = spoilt.slice();
      const at = this.#below(spoilt.length);
      spoilt[at] = (spoilt[at] ?? 0) ^ (1 << this.#below(8));
    }
    if (this.#strikes("garble", time)) {
      const noise = Array.from({ length: 1 + this.#below(LONGEST_NOISE) }, () => this.#below(256));
      spoilt = Uint8Array.of(...noise, ...spoilt);
    }
    return spoilt;
  }

  /** Seconds by which a reply is late. */
  lateness(time: number): number {
    return (this.#strikes("delay", time)?.values.ms ?? 0) / 1000;
  }

  /** Makes servos and supply as ill as they shall be at this time, and no more. */
  apply(bus: ServoBus, time: number): void {
    if (this.#faults.length === 0) return;
    bus.supplyVoltage = this.#active("undervoltage", time).at(-1)?.values.volts ?? SUPPLY_VOLTAGE;
    JOINTS.forEach(({ name }, index) => {
      const servo = bus.servos[index];
      servo?.ail(this.#ailment(name, servo.model, time));
    });
  }

  #ailment(joint: JointName, model: ServoModel, time: number): Partial<Ailment> {
    const has = (kind: FaultKind) => this.#active(kind, time).find((fault) => fault.joints.includes(joint));
    return {
      silent: has("silent") !== undefined,
      extraCurrent: has("overload") === undefined ? 0 : model.stallCurrent,
      extraHeat: has("overheat")?.values.kelvin ?? 0,
      stuck: has("stuck") !== undefined,
      friction: has("friction")?.values.torque ?? 0,
      cogging: has("cogging")?.values.torque ?? 0,
    };
  }

  #active(kind: FaultKind, time: number): Fault[] {
    return this.#faults.filter((fault) => fault.kind === kind && isActive(fault, time));
  }

  /** The first fault of this kind that the dice have happen to this packet. */
  #strikes(kind: FaultKind, time: number): Fault | undefined {
    return this.#active(kind, time).find((fault) => this.#random() < fault.values.rate);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}
