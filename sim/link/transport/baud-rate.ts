import { createRequire } from "node:module";

/** Reads the baud rate of an open terminal, bit/s. */
export type ReadBaudRate = (descriptor: number) => Promise<number | null>;

interface SerialBinding {
  asyncGetBaudRate(descriptor: number): Promise<{ baudRate: number }>;
}

/**
 * The function that reads the baud rate that a driver has set; it takes microseconds. Without the serial library, or where
 * the system does not tell, rates are null. It is part of the library's native binding, not of its documented interface.
 */
export function loadReadBaudRate(): ReadBaudRate {
  try {
    const serialport = createRequire(import.meta.url).resolve("serialport");
    const binding: SerialBinding = createRequire(serialport)("@serialport/bindings-cpp/dist/load-bindings.js");
    return (descriptor) =>
      binding.asyncGetBaudRate(descriptor).then(
        ({ baudRate }) => baudRate,
        () => null,
      );
  } catch {
    return async () => null;
  }
}
