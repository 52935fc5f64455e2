import { type Logger, pino } from "pino";
import { build as pretty } from "pino-pretty";

/** The log of the daemon's terminal: time, level and message, with the app's name before what an app printed. */
export function terminalLog(level: string, isTerminal: boolean): Logger {
  const stream = pretty({
    colorize: isTerminal,
    translateTime: "SYS:HH:MM:ss",
    ignore: "pid,hostname,app,from",
    messageFormat: (line, key) => (line.app === undefined ? String(line[key]) : `[${line.app}] ${line[key]}`),
    sync: true,
  });
  return pino({ level }, stream);
}
