import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ifAbsent, ifUnusable } from "../../../../common/machine/absent.ts";
import type { ByteLink } from "../../../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { streamLink } from "./stream-link.ts";

/** Bit/s of the robot's bus. */
export const ROBOT_BAUD_RATE = 1_000_000;

/** The robot's USB serial adapter. */
const VENDOR_ID = "1a86";
const PRODUCT_ID = "55d3";

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
export async function openSerial(path: string, baudRate = ROBOT_BAUD_RATE): Promise<ByteLink> {
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

/**
 * Path of the robot's serial port, found by its USB id.
 *
 * @throws WorkbenchError `robot-not-found` when there is none or more than one
 */
export async function findSerialPort(): Promise<string> {
  const paths = await robotPorts();
  const [only] = paths;
  if (only !== undefined && paths.length === 1) return only;
  const detail =
    only === undefined
      ? `No robot found: no USB serial adapter ${VENDOR_ID}:${PRODUCT_ID}. Connect the robot, name its port with --serialport PATH, or run with --sim.`
      : `${paths.length} robots found (${paths.join(", ")}). Choose one with --serialport PATH.`;
  throw new WorkbenchError("robot-not-found", detail);
}

async function robotPorts(): Promise<string[]> {
  const SerialPort = await loadSerialPort();
  try {
    const ports = await SerialPort.list();
    return adapterPaths(
      ports
        .filter((port) => port.vendorId?.toLowerCase() === VENDOR_ID && port.productId?.toLowerCase() === PRODUCT_ID)
        .map((port) => port.path),
    );
  } catch {
    return sysfsPorts("/sys/class/tty");
  }
}

/**
 * One path of each adapter. macOS has two of each: `cu.` opens at once, `tty.` waits for a carrier, which the adapter has none of.
 * @param paths of all ports, in any order
 */
export function adapterPaths(paths: readonly string[]): string[] {
  const byAdapter = new Map<string, string>();
  for (const each of [...new Set(paths)].sort()) {
    const adapter = each.replace(/^\/dev\/(cu|tty)\./, "");
    if (!byAdapter.has(adapter)) byAdapter.set(adapter, each);
  }
  return [...byAdapter.values()];
}

/** Linux without udevadm: the kernel's own list. `uevent` of a USB interface has a line `PRODUCT=1a86/55d3/443`. */
export async function sysfsPorts(root: string): Promise<string[]> {
  const names = await readdir(root).catch(ifAbsent<string[]>([]));
  const found = await Promise.all(
    names.map(async (name) => {
      const uevent = await readFile(join(root, name, "device", "uevent"), "utf8").catch(ifUnusable(""));
      return uevent.includes(`PRODUCT=${VENDOR_ID}/${PRODUCT_ID}/`) ? [`/dev/${name}`] : [];
    }),
  );
  return found.flat().sort();
}

/**
 * The serial port's package. It is optional: on a machine that it has no build for, everything but a robot on USB works.
 * @throws WorkbenchError `robot-not-found` with what to do
 */
async function loadSerialPort(): Promise<typeof import("serialport").SerialPort> {
  try {
    return (await import("serialport")).SerialPort;
  } catch (cause) {
    const detail =
      "A robot on USB needs the package serialport, which is not installed: it has no build for this machine, or optional " +
      "packages were left out. Install this package again, or run with --sim.";
    throw new WorkbenchError("robot-not-found", detail, { cause });
  }
}
