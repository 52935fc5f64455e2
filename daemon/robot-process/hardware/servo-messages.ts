import { JOINTS } from "../../../robot/description/joints.ts";
import { type HardwareErrorName, hardwareErrors } from "../../../robot/servo/registers/control-table.ts";

/** `Servo 11 (stewart_1)`, or just the id when no joint has it. */
export function servoName(id: number): string {
  const joint = JOINTS.find((candidate) => candidate.id === id);
  return joint ? `Servo ${id} (${joint.name})` : `Servo ${id}`;
}

/** By the low seven bits of a status packet's error byte. */
const REFUSALS: Record<number, string> = {
  1: "it could not carry it out",
  2: "it does not know the instruction",
  3: "the packet was damaged on the way",
  4: "the value is out of range",
  5: "the data has the wrong length",
  6: "the value is beyond its limits",
  7: "the register is read-only, or locked while torque is on",
};

/** Why a servo refused the instruction in `frame`. */
export function refusal(id: number, error: number, frame: Uint8Array): string {
  const why = REFUSALS[error] ?? "unknown reason";
  return `${servoName(id)} refused an instruction: ${why} (error ${error}, frame ${Buffer.from(frame).toString("hex")}).`;
}

const HARDWARE_ERRORS: Record<HardwareErrorName, { what: string; remedy: string }> = {
  inputVoltage: { what: "input voltage out of range", remedy: "Check the power supply (5 V) and its cable" },
  overheating: { what: "overheated", remedy: "Let it cool down for some minutes" },
  electricalShock: { what: "electrical shock or too little power", remedy: "Check the power supply and the cables" },
  overload: { what: "overload", remedy: "Take away what blocks or holds the joint" },
};

/** One sentence for a servo's hardware error register: which servo, what, and what to do. */
export function hardwareFault(id: number, status: number): string {
  const found = hardwareErrors(status).map((name) => HARDWARE_ERRORS[name]);
  const what = found.map((error) => error.what).join(", ") || `hardware error ${status}`;
  const remedies = [...new Set(found.map((error) => error.remedy)), "Turn the motors on again"];
  return `${servoName(id)} reports ${what}. ${remedies.join(". ")}.`;
}
