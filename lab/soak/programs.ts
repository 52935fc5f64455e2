// Starts the programs of a soak, and finds those that are left.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { built } from "../../scripts/setup/built.mjs";

export const ASSISTANT_SCRIPT = "bin/robot-app-assistant.mjs";

/** Programs of this soak; all of them inherit a run id, by which those that are left are found. */
export class Programs {
  running: Set<ChildProcess> = new Set();
  runId = `catalogue-${process.pid}`;

  start(file: string, args: string[]) {
    const env = { ...process.env, ROBOT_SOAK: this.runId };
    const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    const output = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      output.out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output.err += chunk;
    });
    this.running.add(child);
    // Output may arrive after "exit".
    const exit = once(child, "close").then(([code]) => {
      this.running.delete(child);
      return code as number | null;
    });
    return { child, output, exit };
  }

  assistant(args: string[]) {
    return this.start(process.execPath, [ASSISTANT_SCRIPT, ...args]);
  }

  async left() {
    const { environmentVariable, ProcessTable } = await built("common/machine/process-table.js");
    const found = [];
    for (const { pid } of (await ProcessTable.read()).entries)
      if ((await environmentVariable(pid, "ROBOT_SOAK")) === this.runId) found.push(pid);
    return found;
  }

  killAll() {
    for (const child of this.running) child.kill("SIGKILL");
  }
}

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
