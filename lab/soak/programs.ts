// Starts the programs of a soak, and finds those that are left.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ProcessEntry } from "../../common/machine/process-entry.ts";
import { environmentVariable, ProcessTable } from "../../common/machine/process-table.ts";

export const ASSISTANT_SCRIPT = "bin/robot-app-assistant.mjs";

/** The live processes of a soak, which inherit its run id in their environment. */
export async function processesOfRun(runId: string): Promise<ProcessEntry[]> {
  const found = [];
  for (const entry of (await ProcessTable.read()).entries)
    if ((await environmentVariable(entry.pid, "ROBOT_SOAK")) === runId) found.push(entry);
  return found;
}

/** Programs of this soak, with a run id by which those that are left are found. */
export class Programs {
  readonly #running = new Set<ChildProcess>();
  readonly #runId = `catalogue-${process.pid}`;

  start(file: string, args: string[]) {
    const env = { ...process.env, ROBOT_SOAK: this.#runId };
    const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    const output = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      output.out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output.err += chunk;
    });
    this.#running.add(child);
    // Output may arrive after "exit".
    const exit = once(child, "close").then(([code]) => {
      this.#running.delete(child);
      return code as number | null;
    });
    return { child, output, exit };
  }

  assistant(args: string[]) {
    return this.start(process.execPath, [ASSISTANT_SCRIPT, ...args]);
  }

  left = () => processesOfRun(this.#runId);

  killAll() {
    for (const child of this.#running) child.kill("SIGKILL");
  }
}
