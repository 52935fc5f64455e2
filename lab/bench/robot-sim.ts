// Starts the built robot-sim and waits until a driver can open it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { until } from "./daemon.ts";

export async function startRobotSim(options: string[]) {
  const { LEAN_MEMORY } = await import(new URL("../../dist/sim/link/lean-memory.js", import.meta.url).href);
  const child = spawn(process.execPath, ["bin/robot-sim.mjs", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...LEAN_MEMORY },
  });
  let address = "";
  let notices = "";
  child.stdout.on("data", (chunk) => {
    address += chunk;
  });
  child.stderr.on("data", (chunk) => {
    notices += chunk;
  });
  await until("robot-sim prints its address", 15_000, () => address.includes("\n"));
  return {
    address: address.trim(),
    pid: child.pid ?? 0,
    /** Its messages for people so far. */
    notices: () => notices,
    /** Address of its page; undefined with --headless. */
    page: () => /http:\S+/.exec(notices)?.[0],
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode;
      child.kill("SIGTERM");
      const [code] = await once(child, "exit");
      return code;
    },
  };
}
