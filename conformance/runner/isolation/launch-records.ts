import { readFileSync } from "node:fs";

/** A start of the app under bubblewrap: process ids, outside of the sandbox unless said otherwise. */
export interface LaunchRecord {
  /** The process that the daemon knows. */
  known: number;
  /** Processes of the sandbox itself: that one, and the two of bubblewrap. */
  wrappers: readonly number[];
  /** The app's main process. */
  main: number;
  /** The same as it sees itself. */
  inside: number;
}

/** Reads the record that forwarders write (`forwarder.py`); empty before the first start. */
export function readLaunchRecords(file: string): LaunchRecord[] {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    // Nothing was started yet.
  }
  return [...text.matchAll(/^(\d+) (\d+) (\d+) (\d+) (\d+)$/gm)].map((match) => {
    const [known = 0, outer = 0, init = 0, main = 0, inside = 0] = match.slice(1).map(Number);
    return { known, wrappers: [known, outer, init], main, inside };
  });
}
