import { type Logger, pino } from "pino";
import { build as pretty } from "pino-pretty";

/** What the log is written to: a person's terminal, the system's journal, or a file or pipe. */
export type LogTarget = "terminal" | "journal" | "pipe";

/** systemd names the journal in JOURNAL_STREAM; systemd.exec(5). */
export const logTarget = ({ env, isTerminal }: { env: NodeJS.ProcessEnv; isTerminal: boolean }): LogTarget =>
  env.JOURNAL_STREAM ? "journal" : isTerminal ? "terminal" : "pipe";

/** Syslog priorities of pino's levels; the journal reads them from the start of a line; sd-daemon(3). */
const PRIORITIES: Readonly<Record<number, number>> = { 60: 2, 50: 3, 40: 4, 30: 6, 20: 7 };

/**
 * The daemon's log: level and message, with the app's name before what an app printed. A terminal gets time and colour;
 * the journal has its own time, and gets priorities in place of level names.
 */
export function daemonLog(level: string, target: LogTarget, destination: 1 | NodeJS.WritableStream = 1): Logger {
  const journal = target === "journal";
  const hidden = [
    "pid",
    "hostname",
    "app",
    "from",
    ...(target === "terminal" ? [] : ["time"]),
    ...(journal ? ["level"] : []),
  ];
  const stream = pretty({
    colorize: target === "terminal",
    translateTime: "SYS:HH:MM:ss",
    ignore: hidden.join(","),
    messageFormat: (line, key) => {
      const priority = journal ? `<${PRIORITIES[Number(line.level)] ?? 6}>` : "";
      return `${priority}${line.app === undefined ? "" : `[${line.app}] `}${line[key]}`;
    },
    sync: true,
    destination,
  });
  return pino({ level }, stream);
}
