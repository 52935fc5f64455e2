import { createRequire } from "node:module";
import { onTestFinished } from "vitest";
import { waitFor } from "../../../common/time/wait-for.ts";

type NodePty = typeof import("@lydell/node-pty");

/** Time for a program on a busy machine, in milliseconds. */
const PATIENCE_MS = 120_000;

/** The package that opens pseudo-terminals; null on a machine that it has no build for. */
export function loadPty(): NodePty | null {
  try {
    return createRequire(import.meta.url)("@lydell/node-pty") as NodePty;
  } catch {
    return null;
  }
}

/** A program on a pseudo-terminal, with what it has written so far. */
export interface RealTerminal {
  output(): string;
  type(text: string): void;
  /** Waits until the output since the last wait matches. @returns the match */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code. */
  ended: Promise<number>;
}

export interface RealTerminalOptions {
  cwd: string;
  env?: Record<string, string | undefined>;
}

/** Starts a program on a pseudo-terminal of 200 columns; it is killed when the test ends. */
export function openTerminal(
  pty: NodePty,
  [file = "", ...args]: string[],
  { cwd, env = {} }: RealTerminalOptions,
): RealTerminal {
  const { NO_COLOR, FORCE_COLOR, CI, ...inherited } = process.env;
  const child = pty.spawn(file, args, { cols: 200, rows: 50, cwd, env: { ...inherited, TERM: "xterm", ...env } });
  let output = "";
  let seen = 0;
  child.onData((data) => {
    output += data;
  });
  const ended = new Promise<number>((resolve) =>
    child.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode)),
  );
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  onTestFinished(() => {
    if (!isOver) child.kill("SIGKILL");
  });
  const shows = (pattern: RegExp) =>
    waitFor(PATIENCE_MS, `the terminal shows ${pattern}`, () => {
      const match = pattern.exec(output.slice(seen));
      if (match === null) {
        if (isOver) throw new Error(`the program has ended:\n${output}`);
        return undefined;
      }
      seen += match.index + match[0].length;
      return match;
    });
  return {
    output: () => output,
    type: (text) => child.write(text),
    ended,
    shows,
  };
}
