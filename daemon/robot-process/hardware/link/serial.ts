import { promisify } from "node:util";
import type { ByteLink } from "../../../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { loadSerialPort } from "./serial-package.ts";
import { streamLink } from "./stream-link.ts";

/** Bit/s of the robot's bus. */
const BAUD_RATE = 1_000_000;

/** What to do when a port cannot be opened, by the system's message. */
const REMEDIES: readonly [pattern: RegExp, remedy: string][] = [
  [/EACCES|permission/i, "You may not open it: sudo usermod -aG dialout $USER, then log in again."],
  [/ENOENT|no such|not found/i, "It is not there: check the robot's USB cable and power, or run with --sim."],
  [/lock|EBUSY|EAGAIN|busy|access denied/i, "Another program holds it: end that one first."],
];

/**
 * Opens the robot's serial port, exclusively. The native module aborts the process in a worker thread, so
 * only a process's main thread may call this.
 *
 * @throws WorkbenchError `robot-not-found` with what to do
 */
export async function openSerial(path: string, baudRate = BAUD_RATE): Promise<ByteLink> {
  const SerialPort = await loadSerialPort();
  const port = new SerialPort({ path, baudRate, autoOpen: false });
  try {
    await promisify(port.open.bind(port))();
  } catch (error) {
    const why = (error as Error).message;
    const remedy = REMEDIES.find(([pattern]) => pattern.test(why))?.[1] ?? "Check the robot's USB cable.";
    throw new WorkbenchError("robot-not-found", `The serial port ${path} cannot be opened (${why}). ${remedy}`);
  }
  return streamLink(path, port, async () => {
    if (port.isOpen) await promisify(port.close.bind(port))();
  });
}
