import type { Writable } from "node:stream";
import { type Logger, pino } from "pino";

/** What the log is written to: a person's terminal, the system's journal, or a file or pipe. */
export type LogTarget = "terminal" | "journal" | "pipe";

/** systemd names the journal in JOURNAL_STREAM; systemd.exec(5). */
export const logTarget = ({ env, isTerminal }: { env: NodeJS.ProcessEnv; isTerminal: boolean }): LogTarget =>
  env.JOURNAL_STREAM ? "journal" : isTerminal ? "terminal" : "pipe";

/** Syslog priorities of pino's levels; the journal reads them from the start of a line; sd-daemon(3). */
const PRIORITIES: Readonly<Record<number, number>> = { 60: 2, 50: 3, 40: 4, 30: 6, 20: 7 };

/** Names of pino's levels, and their colours on a terminal (ECMA-48). */
const LEVELS: Readonly<Record<number, readonly [name: string, colour: number]>> = {
  60: ["FATAL", 41],
  50: ["ERROR", 31],
  40: ["WARN", 33],
  30: ["INFO", 32],
  20: ["DEBUG", 34],
  10: ["TRACE", 90],
};
const MESSAGE_COLOUR = 36;

/** What pino writes of an entry. */
interface Entry {
  level: number;
  time: number;
  msg?: string;
  app?: string;
  err?: { stack?: string };
  path?: string;
}

/**
 * The daemon's log: level and message, with the app's name before what an app printed. A terminal gets time and colour;
 * the journal has its own time, and gets priorities in place of level names.
 */
export function daemonLog(level: string, target: LogTarget, destination: Pick<Writable, "write"> = standardOutput()) {
  const write = (entry: string): void => void destination.write(formatEntry(JSON.parse(entry), target));
  return pino({ level }, { write }) as Logger;
}

function standardOutput() {
  // Who read it may be gone.
  return pino.destination({ fd: 1, sync: true }).on("error", () => undefined);
}

function formatEntry({ level, time, msg = "", app, err, path }: Entry, target: LogTarget): string {
  const text = app === undefined ? msg : `[${app}] ${msg}`;
  const details = [path, err?.stack].flatMap((detail) => detail?.split("\n") ?? []).map((line) => `    ${line}\n`);
  return `${firstLine(text, level, time, target)}\n${details.join("")}`;
}

function firstLine(text: string, level: number, time: number, target: LogTarget): string {
  const [name, colour] = LEVELS[level] ?? ["INFO", 32];
  if (target === "journal") return `<${PRIORITIES[level] ?? 6}>${text}`;
  if (target === "pipe") return `${name}: ${text}`;
  const clockTime = new Date(time).toTimeString().slice(0, "HH:MM:SS".length);
  return `[${clockTime}] ${coloured(name, colour)}: ${coloured(text, MESSAGE_COLOUR)}`;
}

const coloured = (text: string, colour: number): string => `\u001b[${colour}m${text}\u001b[${colour === 41 ? 49 : 39}m`;
