import { JOINTS } from "../../../robot/description/joints.ts";
import { SUPPLY_TEXT } from "../../../robot/description/supply.ts";
import { HardwareError, type HardwareErrorName, hardwareErrors } from "../../../robot/servo/registers/control-table.ts";

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
  inputVoltage: { what: "input voltage out of range", remedy: `Check the power supply (${SUPPLY_TEXT}) and its cable` },
  overheating: { what: "overheated", remedy: "Let it cool down for some minutes" },
  motorEncoder: { what: "broken position sensor", remedy: "Replace the servo if a restart does not help" },
  electricalShock: { what: "electrical shock or too little power", remedy: "Check the power supply and the cables" },
  overload: { what: "overload", remedy: "Take away what blocks or holds the joint" },
};

/** One sentence for a servo's hardware error register: which servo, what, and what to do. */
export function hardwareFault(id: number, status: number): string {
  const remedies = [...new Set(hardwareErrors(status).map((name) => HARDWARE_ERRORS[name].remedy))];
  return `${servoName(id)} reports ${describeErrors(status)}. ${[...remedies, "Turn the motors on again"].join(". ")}.`;
}

/** For a servo that has torque with a voltage that the robot should not have. @param volts that it measures */
export function wrongSupply(id: number, volts: number): string {
  const { what, remedy } = HARDWARE_ERRORS.inputVoltage;
  return `${servoName(id)} reports ${what}: ${volts.toFixed(1)} V. ${remedy}.`;
}

/** For servos that report a voltage with which the robot runs. @param volts the highest that they measure */
export function toleratedSupply(ids: readonly number[], volts: number): string {
  const who = ids.length === JOINTS.length ? "All servos report" : `${ids.map(servoName).join(", ")}: reported`;
  return `${who} ${code(HardwareError.inputVoltage)} (input voltage) at ${volts.toFixed(1)} V, with torque as it should be. The robot's supply (${SUPPLY_TEXT}) is above the servos' own limit of 7.0 V: nothing is wrong.`;
}

/**
 * Why a servo has no torque: it has shut down, or its power was off.
 *
 * @param shutdown its register `shutdown`
 */
export function torqueLoss(id: number, status: number, shutdown: number): string {
  const who = servoName(id);
  if (status === 0) return `${who} lost its torque, as after a power cut`;
  const errors = `${describeErrors(status)} (${code(status)})`;
  if ((status & shutdown) === 0) return `${who} lost its torque and reports ${errors}`;
  return `${who} has shut down: ${errors}, by its shutdown register ${shutdown}`;
}

function describeErrors(status: number): string {
  const found = hardwareErrors(status).map((name) => HARDWARE_ERRORS[name].what);
  return found.join(", ") || `hardware error ${status}`;
}

const code = (status: number): string => `0x${status.toString(16).padStart(2, "0")}`;
