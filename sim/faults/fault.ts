import type { JointName } from "../../robot/description/joints.ts";

/** A fault of the simulated robot and its time span in simulated seconds. */
export interface Fault {
  readonly kind: FaultKind;
  readonly from: number;
  /** Infinity for a permanent fault. */
  readonly until: number;
  /** Joints of the affected servos; empty for a fault of the whole robot. */
  readonly joints: readonly JointName[];
  readonly values: Readonly<Record<ValueName, number>>;
}

/** Parameters of faults. A kind uses those that its entry in `FAULT_KINDS` lists. */
export type ValueName = "rate" | "ms" | "kelvin" | "volts" | "torque";

interface FaultKindDescription {
  readonly about: string;
  /** Whether it needs servo names; `all`: it affects every servo by default. */
  readonly servos: "none" | "named" | "all";
  /** Its parameters with default and range. */
  readonly values: Readonly<Partial<Record<ValueName, readonly [defaultValue: number, min: number, max: number]>>>;
}

const RATE = [0.01, 0, 1] as const;

/** Every kind of fault. `rate` is the share of affected packets. */
export const FAULT_KINDS = {
  drop: { about: "packets are lost", servos: "none", values: { rate: RATE } },
  delay: { about: "replies are delayed", servos: "none", values: { rate: [0.05, 0, 1], ms: [20, 0, 10_000] } },
  corrupt: { about: "packets have a wrong bit", servos: "none", values: { rate: RATE } },
  garble: { about: "noise comes before packets", servos: "none", values: { rate: RATE } },
  unplug: { about: "the cable is unplugged", servos: "none", values: {} },
  silent: { about: "a servo neither receives nor replies", servos: "named", values: {} },
  overload: { about: "a servo draws its stall current", servos: "named", values: {} },
  overheat: { about: "a servo's temperature is higher", servos: "named", values: { kelvin: [60, 0, 200] } },
  undervoltage: { about: "the supply voltage is low", servos: "none", values: { volts: [3.2, 0, 12] } },
  brownout: { about: "servos have no power, then restart", servos: "all", values: {} },
  latch: { about: "a voltage spike shuts a servo down", servos: "named", values: {} },
  stuck: { about: "a joint does not turn", servos: "named", values: {} },
  friction: { about: "joints have friction, N m", servos: "all", values: { torque: [0.05, 0, 5] } },
  cogging: { about: "gears have torque ripple, N m", servos: "all", values: { torque: [0.02, 0, 5] } },
} as const satisfies Record<string, FaultKindDescription>;

export type FaultKind = keyof typeof FAULT_KINDS;

export const isActive = (fault: Fault, time: number): boolean => time >= fault.from && time < fault.until;
