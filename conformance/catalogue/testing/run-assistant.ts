import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";

/** A running robot-app-assistant. */
export interface RunningAssistant {
  child: ChildProcess;
  /** Standard output so far. */
  out(): string;
  /** Standard error so far. */
  err(): string;
  /** Exit code, once all output has been read; null when a signal ended it. */
  exit: Promise<number | null>;
}

/** Starts the built robot-app-assistant. */
export function startAssistant(args: readonly string[], env: NodeJS.ProcessEnv): RunningAssistant {
  const program = join(PACKAGE_FOLDER, "bin/robot-app-assistant.mjs");
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  return { child, out: () => out, err: () => err, exit: once(child, "close").then(([code]) => code as number | null) };
}
