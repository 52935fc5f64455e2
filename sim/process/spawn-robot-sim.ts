import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { abortOnExit } from "../../common/machine/abort-on-exit.ts";
import { PACKAGE_FOLDER } from "../../common/machine/package-folder.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { LEAN_MEMORY } from "../link/lean-memory.ts";

/** Milliseconds that a robot-sim has to end by itself. */
const FORCE_MS = 5000;
/** Milliseconds in which it starts, and in which its page answers, also on a busy machine. */
const ANSWER_MS = 60_000;
/** Characters of its standard error that are kept, the last ones. */
const KEPT_OUTPUT = 100_000;
const PROGRAM = join(PACKAGE_FOLDER, "bin/robot-sim.mjs");

/** How a driver reaches a robot-sim: a tty or a TCP port. */
export type RobotSimTransport = "pty" | "tcp";

/** A running robot-sim: the address for drivers, and what its page can do to the robot. */
export interface RobotSim {
  /** Device path or `tcp://host:port`, as `robot-daemon --serialport` takes it. */
  readonly address: string;
  /** Address of its page. */
  readonly page: string;
  readonly pid: number | null;
  /** The end of what it printed on standard error so far. */
  output(): string;
  /** Pushes a body: newtons in the world frame, seconds. */
  push(body: string, force: readonly [number, number, number], seconds: number): Promise<void>;
  /** Injects a fault, in the form of `--fault`; its times count from now. */
  injectFault(fault: string): Promise<void>;
  clearFaults(): Promise<void>;
  close(): Promise<void>;
  /** Null while it runs, and when a signal ended it. */
  readonly exitCode: number | null;
}

/** Starts the robot-sim program and waits until a driver can open it. */
export async function spawnRobotSim(transport: RobotSimTransport, options: readonly string[] = []): Promise<RobotSim> {
  const where = transport === "tcp" ? ["--tcp", "0"] : ["--pty"];
  const child = spawn(process.execPath, [PROGRAM, ...where, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...LEAN_MEMORY },
  });
  let [address, output] = ["", ""];
  child.stdout.on("data", (chunk) => {
    address += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output = (output + chunk).slice(-KEPT_OUTPUT);
  });
  const exit = once(child, "exit");
  exit.catch(() => {});
  const ended = abortOnExit(child, "robot-sim", () => output);
  const pageAddress = () => address.includes("\n") && /http:\S+/.exec(output)?.[0];
  const page = await waitFor(ANSWER_MS, "robot-sim prints its addresses", pageAddress, ended).catch((error) => {
    // The caller gets no handle to end it with.
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), FORCE_MS).unref();
    throw error;
  });
  const request = async (method: string, path: string, body: unknown = {}): Promise<void> => {
    const response = await fetch(new URL(path, page), {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (!response.ok) throw new Error(`robot-sim refused ${method} ${path}: ${await response.text()}`);
  };
  return {
    address: address.trim(),
    pid: child.pid ?? null,
    page,
    output: () => output,
    push: (body, force, seconds) => request("POST", "push", { push: { body, force }, seconds }),
    injectFault: (fault) => request("POST", "faults", { fault }),
    clearFaults: () => request("DELETE", "faults"),
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      const force = setTimeout(() => child.kill("SIGKILL"), FORCE_MS);
      await exit;
      clearTimeout(force);
    },
    get exitCode() {
      return child.exitCode;
    },
  };
}
