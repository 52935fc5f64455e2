import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { LEAN_MEMORY } from "../../sim/link/lean-memory.ts";
import { PACKAGE_FOLDER } from "./package-folder.ts";
import { within } from "./waiting.ts";

const PROGRAM = join(PACKAGE_FOLDER, "bin/robot-sim.mjs");

/** How a robot-sim is to be reached. */
export type Outlet = "pty" | "tcp";

/** A robot-sim that runs: what a driver opens, and what its page can do to the robot. */
export interface RobotSim {
  /** Device path or `tcp://host:port`, as `robot-daemon --serialport` takes it. */
  readonly address: string;
  /** Address of its page. */
  readonly page: string;
  /** What it printed so far, for the report of a failed scenario. */
  output(): string;
  /** Newtons on a body, world frame, for so many seconds. */
  push(body: string, force: readonly [number, number, number], seconds: number): Promise<void>;
  /** As `--fault` takes it, its times counted from now. */
  beginFault(fault: string): Promise<void>;
  endFaults(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the real program and waits until a driver can open it. */
export async function spawnRobotSim(outlet: Outlet, options: readonly string[] = []): Promise<RobotSim> {
  const where = outlet === "tcp" ? ["--tcp", "0"] : ["--pty"];
  const child = spawn(process.execPath, [PROGRAM, ...where, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...LEAN_MEMORY },
  });
  let [address, output] = ["", ""];
  child.stdout.on("data", (chunk) => {
    address += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const exit = once(child, "exit");
  const page = await within(30_000, "robot-sim prints its addresses", () => {
    if (child.exitCode !== null) throw new Error(`robot-sim ended with ${child.exitCode}:\n${output}`);
    return address.includes("\n") && /http:\S+/.exec(output)?.[0];
  }).catch((error) => {
    // Nobody else knows of it yet: left alone, it would outlive the scenario.
    child.kill("SIGTERM");
    throw error;
  });
  const ask = async (method: string, path: string, body: unknown = {}): Promise<void> => {
    const response = await fetch(new URL(path, page), {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5000),
    });
    if (!response.ok) throw new Error(`robot-sim refused ${method} ${path}: ${await response.text()}`);
  };
  return {
    address: address.trim(),
    page,
    output: () => output,
    push: (body, force, seconds) => ask("POST", "push", { push: { body, force }, seconds }),
    beginFault: (fault) => ask("POST", "faults", { fault }),
    endFaults: () => ask("DELETE", "faults"),
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      const force = setTimeout(() => child.kill("SIGKILL"), 5000);
      await exit;
      clearTimeout(force);
    },
  };
}
