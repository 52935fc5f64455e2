import { JOINTS, type JointName } from "../../robot/description/joints.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { FAULT_KINDS, type Fault, type FaultKind, type ValueName } from "./fault.ts";

/** Maximum of the times. */
const MAX_SECONDS = 1e6;

/**
 * Parses a fault: `KIND` or `KIND:key=value,key=value`. All kinds have the keys `at` (simulated second at which it begins,
 * default 0) and `for` (duration in seconds, permanent when absent); `servo` takes ids or joint names joined by `+`, or
 * `all`. Examples: `drop:rate=0.02`, `stuck:servo=stewart_3,at=5,for=10`, `silent:servo=11+12`.
 *
 * @throws WorkbenchError `usage` with the wrong value and the valid ones
 */
export function parseFault(text: string): Fault {
  const [kind = "", rest = ""] = text.split(/:(.*)/s);
  if (!Object.hasOwn(FAULT_KINDS, kind)) {
    throw usage(`There is no fault "${kind}"; there are ${Object.keys(FAULT_KINDS).join(", ")}.`);
  }
  return new FaultParser(kind as FaultKind, rest).parse();
}

class FaultParser {
  readonly #kind: FaultKind;
  readonly #given = new Map<string, string>();

  constructor(kind: FaultKind, text: string) {
    this.#kind = kind;
    for (const part of text === "" ? [] : text.split(",")) {
      const [key = "", value] = part.split(/=(.*)/s);
      if (!this.#keys.includes(key)) {
        throw usage(`The fault ${kind} has no key "${key}"; it takes ${this.#keys.join(", ")}.`);
      }
      if (value === undefined || value === "") throw usage(`The fault ${kind}: write ${key}=VALUE.`);
      this.#given.set(key, value);
    }
  }

  parse(): Fault {
    const values: Record<ValueName, number> = { rate: 0, ms: 0, kelvin: 0, volts: 0, torque: 0 };
    for (const [name, [defaultValue, min, max]] of this.#values)
      values[name] = this.#number(name, defaultValue, min, max);
    const from = this.#number("at", 0, 0, MAX_SECONDS);
    const duration = this.#number("for", Number.POSITIVE_INFINITY, 0, MAX_SECONDS);
    return { kind: this.#kind, from, until: from + duration, joints: this.#joints(), values };
  }

  get #values(): [ValueName, readonly [number, number, number]][] {
    return Object.entries(FAULT_KINDS[this.#kind].values) as [ValueName, readonly [number, number, number]][];
  }

  get #keys(): string[] {
    const servo = FAULT_KINDS[this.#kind].servos === "none" ? [] : ["servo"];
    return [...servo, ...this.#values.map(([name]) => name), "at", "for"];
  }

  #number(key: string, defaultValue: number, min: number, max: number): number {
    const text = this.#given.get(key);
    if (text === undefined) return defaultValue;
    const value = Number(text);
    if (value >= min && value <= max) return value;
    throw usage(`The fault ${this.#kind}: ${key} is "${text}"; use a number from ${min} to ${max}.`);
  }

  #joints(): JointName[] {
    const { servos } = FAULT_KINDS[this.#kind];
    if (servos === "none") return [];
    const text = this.#given.get("servo") ?? (servos === "all" ? "all" : undefined);
    if (text === undefined) throw usage(`The fault ${this.#kind}: name the servo with servo=NAME. ${knownServos()}`);
    if (text === "all") return JOINTS.map((joint) => joint.name);
    return text.split("+").map((name) => {
      const joint = JOINTS.find((one) => one.name === name || String(one.id) === name);
      if (joint === undefined) throw usage(`The fault ${this.#kind}: there is no servo "${name}". ${knownServos()}`);
      return joint.name;
    });
  }
}

const knownServos = () => `There are ${JOINTS.map(({ name, id }) => `${name} (${id})`).join(", ")}, and all.`;
const usage = (detail: string) => new WorkbenchError("usage", detail);
