import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";
import { TurnBudget } from "../../../common/bounded.ts";
import type { Clock } from "../../../common/time/clock.ts";
import type { LogLine } from "../../../robot/wire/apps/app-events.ts";
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
 * Reads an app's output line by line. The app does not wait for who reads its log.
 * @param onLostInterrupt called when the output shows that Python lost a SIGINT
 */
export function watchOutput(
  app: string,
  pipes: { stdout: Readable; stderr: Readable },
  onLine: (line: LogLine) => void,
  clock: Clock,
  onLostInterrupt: () => void,
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

/** Lines of one pipe that are handed over in a turn of the event loop. */
const LINES_PER_TURN = 2000;

/**
 * Calls `onLine` for each line; a program that prints faster than its lines are handed over waits. Settles, never rejects, when
 * the pipe has ended or was destroyed.
 */
export async function readLines(pipe: Readable, onLine: (line: string) => void): Promise<void> {
  const lines = new LineSplitter();
  const turn = new TurnBudget(LINES_PER_TURN);
  const handOver = async (found: readonly string[]): Promise<void> => {
    for (const line of found) {
      if (!turn.take()) await new Promise<void>((resolve) => turn.whenTaken(1, resolve));
      onLine(line);
    }
  };
  try {
    for await (const chunk of pipe) {
      await handOver(lines.push(chunk));
      // The next chunk may be there already.
      await setImmediate();
    }
  } catch {
    // It was destroyed, or its other end was lost.
  }
  await handOver(lines.end());
}

/**
 * Recognises a SIGINT that Python lost. Where an exception cannot be raised (in a callback of the import system or of the
 * garbage collector), the interpreter prints the KeyboardInterrupt, `Exception ignored …`, and goes on.
 * @param onLost called once for each
 * @returns takes the lines of standard error
 */
export function watchLostInterrupts(onLost: () => void): (line: string) => void {
  let isIgnored = false;
  return (line) => {
    if (/^Exception ignored /.test(line)) isIgnored = true;
    else if (isIgnored && /^KeyboardInterrupt\b/.test(line)) {
      isIgnored = false;
      onLost();
    } else if (!/^(Traceback|\s)/.test(line)) isIgnored = false;
  };
}

/** Longest line in characters; a longer one is cut into several. */
export const MAX_LINE = 8192;

/**
 * Splits a byte stream into lines. `\n`, `\r\n` and the lone `\r` of a progress bar all end a line. Buffers at most
 * `MAX_LINE` characters, however long a program prints without a newline.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  #partial = "";
  #endedInReturn = false;

  /** Returns the lines that the chunk completes. */
  push(chunk: Buffer): string[] {
    return this.#split(this.#decoder.write(chunk));
  }

  /** Returns what came after the last newline. */
  end(): string[] {
    const lines = this.#split(this.#decoder.end());
    if (this.#partial !== "") lines.push(this.#partial);
    this.#partial = "";
    return lines;
  }

  #split(text: string): string[] {
    if (text === "") return [];
    // A chunk may end between the two characters of \r\n.
    const added = this.#endedInReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedInReturn = text.endsWith("\r");
    const pieces = (this.#partial + added).split(/\r\n|\n|\r/);
    const last = cut(pieces.pop() ?? "");
    this.#partial = last.pop() ?? "";
    return [...pieces.flatMap(cut), ...last];
  }
}

function cut(line: string): string[] {
  if (line.length <= MAX_LINE) return [line];
  return line.match(new RegExp(`.{1,${MAX_LINE}}`, "gs")) ?? [];
}
