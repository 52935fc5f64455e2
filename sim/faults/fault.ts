import type { JointName } from "../../robot/description/joints.ts";

/** Something that goes wrong with the simulated robot, from one simulated second until another. */
export interface Fault {
  readonly kind: FaultKind;
  readonly from: number;
  /** Infinity for good. */
  readonly until: number;
  /** The joints whose servos have it; empty for a fault of the whole robot. */
  readonly joints: readonly JointName[];
  readonly values: Readonly<Record<ValueName, number>>;
}

/** What the kinds of fault can be told. A kind ignores what its entry in `FAULT_KINDS` does not name. */
export type ValueName = "rate" | "ms" | "kelvin" | "volts" | "torque";

interface KindOfFault {
  readonly about: string;
  /** Whether it hits single servos; `all` when it hits every servo unless told otherwise. */
  readonly servos: "none" | "named" | "all";
  /** What it can be told, with what it assumes otherwise and the range that makes sense. */
  readonly values: Readonly<Partial<Record<ValueName, readonly [assumed: number, least: number, most: number]>>>;
}

const RATE = [0.01, 0, 1] as const;

/** Every kind of fault. `rate` is the share of packets that have it. */
export const FAULT_KINDS = {
  drop: { about: "packets are lost", servos: "none", values: { rate: RATE } },
  delay: { about: "replies come late", servos: "none", values: { rate: [0.05, 0, 1], ms: [20, 0, 10_000] } },
  corrupt: { about: "packets have a wrong bit", servos: "none", values: { rate: RATE } },
  garble: { about: "noise comes before packets", servos: "none", values: { rate: RATE } },
  unplug: { about: "the cable is pulled", servos: "none", values: {} },
  silent: { about: "a servo neither hears nor answers", servos: "named", values: {} },
  overload: { about: "a servo draws its stall current", servos: "named", values: {} },
  overheat: { about: "a servo is hotter", servos: "named", values: { kelvin: [60, 0, 200] } },
  undervoltage: { about: "the supply gives less", servos: "none", values: { volts: [3.2, 0, 12] } },
  stuck: { about: "a joint does not turn", servos: "named", values: {} },
  friction: { about: "joints rub, N m", servos: "all", values: { torque: [0.05, 0, 5] } },
  cogging: { about: "gears ripple, N m", servos: "all", values: { torque: [0.02, 0, 5] } },
} as const satisfies Record<string, KindOfFault>;

export type FaultKind = keyof typeof FAULT_KINDS;

export const isActive = (fault: Fault, time: number): boolean => time >= fault.from && time < fault.until;
