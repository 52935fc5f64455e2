import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { loadSerialPort } from "./serial-package.ts";

/** The robot's USB serial adapter. */
const VENDOR_ID = "1a86";
const PRODUCT_ID = "55d3";

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
    return ports
      .filter((port) => port.vendorId?.toLowerCase() === VENDOR_ID && port.productId?.toLowerCase() === PRODUCT_ID)
      .map((port) => port.path);
  } catch {
    return sysfsPorts("/sys/class/tty");
  }
}

/** Linux without udevadm: the kernel's own list. `uevent` of a USB interface has a line `PRODUCT=1a86/55d3/443`. */
export async function sysfsPorts(root: string): Promise<string[]> {
  const names = await readdir(root).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const uevent = await readFile(join(root, name, "device", "uevent"), "utf8").catch(() => "");
      return uevent.includes(`PRODUCT=${VENDOR_ID}/${PRODUCT_ID}/`) ? [`/dev/${name}`] : [];
    }),
  );
  return found.flat().sort();
}
