import { WorkbenchError } from "../../../../robot/wire/errors.ts";

/**
 * The serial port's package. It is optional: on a machine that it has no build for, everything but a robot on USB works.
 * @throws WorkbenchError `robot-not-found` with what to do
 */
export async function loadSerialPort(): Promise<typeof import("serialport").SerialPort> {
  try {
    return (await import("serialport")).SerialPort;
  } catch (cause) {
    const detail =
      "A robot on USB needs the package serialport, which is not installed: it has no build for this machine, or optional " +
      "packages were left out. Install this package again, or run with --sim.";
    throw new WorkbenchError("robot-not-found", detail, { cause });
  }
}
