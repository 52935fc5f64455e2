import type { Readable } from "node:stream";
import type { Clock } from "../../clock.ts";
import type { LogLine } from "../app-events.ts";
import { FloodGate } from "./flood-gate.ts";
import { LineSplitter } from "./line-splitter.ts";

/** How many lines of standard error, and how much of each, explain an end. */
const LAST_ERRORS = 20;
const EXPLAINING_LENGTH = 400;
/** What is still in the pipes when the last process has gone is read within this time. */
const DRAIN_MS = 200;

export interface Output {
  /** The last lines of standard error, oldest first. */
  lastErrors(): string[];
  /** Reads what is left and lets go of the pipes, also when somebody outside still holds them. */
  finish(): Promise<void>;
}

/** Reads an app's output to the end, line by line, without ever making the app wait. */
export function watchOutput(
  app: string,
  pipes: { stdout: Readable; stderr: Readable },
  sink: (line: LogLine) => void,
  clock: Clock,
): Output {
  const lastErrors: string[] = [];
  const gateOf = (from: "stdout" | "stderr") =>
    new FloodGate(clock, (text) => sink({ time: clock.unixTime(), app, from, text }));
  const gates = { stdout: gateOf("stdout"), stderr: gateOf("stderr") };
  const pump = (from: "stdout" | "stderr") =>
    pumpLines(pipes[from], (line) => {
      // The lines of carets under a traceback's code explain nothing by themselves and push the author's own line out.
      if (from === "stderr" && !/^[\s~^]*$/.test(line)) lastErrors.push(line.slice(0, EXPLAINING_LENGTH));
      if (lastErrors.length > LAST_ERRORS) lastErrors.shift();
      gates[from].push(line);
    });
  const ended = Promise.all([pump("stdout"), pump("stderr")]);
  return {
    lastErrors: () => lastErrors,
    async finish() {
      await new Promise<void>((resolve) => {
        const callOff = clock.after(DRAIN_MS, resolve);
        void ended.then(callOff).then(resolve);
      });
      pipes.stdout.destroy();
      pipes.stderr.destroy();
      await ended;
      gates.stdout.flush();
      gates.stderr.flush();
    },
  };
}

/** Settles, never rejects, when the pipe has ended or was destroyed. */
export function pumpLines(pipe: Readable, onLine: (line: string) => void): Promise<void> {
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
