import type { Readable } from "node:stream";
import type { Clock } from "../../../common/time/clock.ts";
import type { LogLine } from "../../../robot/wire/apps/app-events.ts";
import { LineSplitter } from "./line-splitter.ts";
import { watchLostInterrupts } from "./lost-interrupt.ts";
import { OutputLimiter } from "./output-limiter.ts";

/** How many lines of standard error, and how much of each, an error status shows. */
const LAST_ERRORS = 20;
const LAST_ERROR_LENGTH = 400;
/** Time to read what is still in the pipes when the last process has exited. */
const DRAIN_MS = 200;

export interface Output {
  /** The last lines of standard error, oldest first. */
  lastErrors(): string[];
  /** Reads the remaining output and closes the pipes, also when a process outside the app still holds them. */
  finish(): Promise<void>;
}

/**
 * Reads an app's output line by line, without ever making the app wait.
 * @param onLostInterrupt called when the output shows that Python lost a SIGINT
 */
export function watchOutput(
  app: string,
  pipes: { stdout: Readable; stderr: Readable },
  onLine: (line: LogLine) => void,
  clock: Clock,
  onLostInterrupt: () => void = () => {},
): Output {
  const lastErrors: string[] = [];
  const watchInterrupts = watchLostInterrupts(onLostInterrupt);
  const limiterFor = (from: "stdout" | "stderr") =>
    new OutputLimiter(clock, (text) => onLine({ time: clock.unixTime(), app, from, text }));
  const limiters = { stdout: limiterFor("stdout"), stderr: limiterFor("stderr") };
  const read = (from: "stdout" | "stderr") =>
    readLines(pipes[from], (line) => {
      if (from === "stderr") watchInterrupts(line);
      // Lines of carets under a traceback's code say nothing alone and would push out the author's own lines.
      if (from === "stderr" && !/^[\s~^]*$/.test(line)) lastErrors.push(line.slice(0, LAST_ERROR_LENGTH));
      if (lastErrors.length > LAST_ERRORS) lastErrors.shift();
      limiters[from].push(line);
    });
  const ended = Promise.all([read("stdout"), read("stderr")]);
  return {
    lastErrors: () => lastErrors,
    async finish() {
      await new Promise<void>((resolve) => {
        const cancelTimer = clock.after(DRAIN_MS, resolve);
        void ended.then(cancelTimer).then(resolve);
      });
      pipes.stdout.destroy();
      pipes.stderr.destroy();
      await ended;
      limiters.stdout.flush();
      limiters.stderr.flush();
    },
  };
}

/** Calls `onLine` for each line. Settles, never rejects, when the pipe has ended or was destroyed. */
export function readLines(pipe: Readable, onLine: (line: string) => void): Promise<void> {
  const lines = new LineSplitter();
  return new Promise((resolve) => {
    pipe.on("data", (chunk: Buffer) => lines.push(chunk).forEach(onLine));
    pipe.once("error", () => pipe.destroy());
    pipe.once("close", () => {
      lines.end().forEach(onLine);
      resolve();
    });
  });
}
