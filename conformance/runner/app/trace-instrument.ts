import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pythonScript } from "../../../common/machine/python-script.ts";
import { DIALECTS } from "../../../robot/dialects/dialects.ts";

/** The signal whose handler raises an error in the app's main thread. */
export const ERROR_SIGNAL = "SIGUSR1";
/** What markers call that error. */
export const INJECTED_ERROR = "CertificationError";

/** Parts of the names and texts of errors, as those of ordinary libraries. */
const ERROR_WORDS = [
  ["Sensor", "Frame", "Stream", "Buffer", "Device", "Session", "Payload", "Channel"],
  ["Timeout", "Overflow", "State", "Format", "Sync", "Access", "Limit", "Lookup"],
] as const;

/**
 * The class of that error in an app, and its text: others in each certification, so that no app knows it.
 * @param secret the word of the instrument
 */
export function injectedErrorOf(secret: string): { name: string; text: string } {
  const number = [...secret].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7);
  const [firsts, seconds] = ERROR_WORDS;
  const [first = "", second = ""] = [firsts[number % firsts.length], seconds[(number >> 3) % seconds.length]];
  return { name: `${first}${second}Error`, text: `${first.toLowerCase()} ${second.toLowerCase()} (${number})` };
}

/**
 * The variables of an app's environment with which the instrument writes trace markers to a file.
 * @param folder of the instrument
 * @param secret a word that each line begins with; lines without it do not count
 */
export function instrumentVariables(folder: string, file: string, secret: string): Record<string, string> {
  const { name, text } = injectedErrorOf(secret);
  const bases = DIALECTS.map(({ sdk }) => `${sdk.appModule}=${sdk.appClass}`);
  return { ROBOT_CERTIFY_TRACE: [file, secret, name, text, ...bases].join("\n"), PYTHONPATH: folder };
}

/** Writes the instrument into a folder. */
export function writeInstrument(folder: string): void {
  writeFileSync(join(folder, "sitecustomize.py"), pythonScript("trace_instrument.py", import.meta.url));
}

/** One line that the instrument wrote. */
export interface TraceMarker {
  /** Milliseconds since the Unix epoch. */
  time: number;
  pid: number;
  /**
   * `importing`, `entered`, `returned`, `raised`, `injected` when the error is raised, or `postponed` when it is not, because
   * the app is starting a process.
   */
  what: string;
  /** Class of what was raised. */
  raised: string | null;
}

/**
 * Reads what the instrument has written so far.
 * @param secret the word that was given to it
 */
export async function readTraceMarkers(file: string, secret: string): Promise<TraceMarker[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.matchAll(/^(\S+) (\S+) (\d+) (\w+)(?: (\w+))?$/gm);
  return [...lines].flatMap(([, word, time, pid, what = "", raised = null]) => {
    return word === secret ? [{ time: 1000 * Number(time), pid: Number(pid), what, raised }] : [];
  });
}
