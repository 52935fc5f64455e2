// Starts the built robot-daemon, with a simulated or another robot, and a client for its REST interface.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { built } from "../../scripts/setup/built.mjs";

/** Longer than any start, on a loaded machine and with another SDK to install. */
const START_MS = 90_000;

// biome-ignore lint/suspicious/noExplicitAny: the tools read answers of many routes, and compare what they find in them.
export type JsonAnswer = any;
export type Daemon = Awaited<ReturnType<typeof startDaemon>>;

/** @param serialport the robot; simulated when absent */
export async function startDaemon(dataDir: string, options: string[] = [], serialport: string | null = null) {
  const began = performance.now();
  // A daemon on the network asks every client for its token.
  const tokenFile = join(dataDir, "access-token");
  const ask = (path: string, method = "GET") => {
    const token = options.includes("--host") && existsSync(tokenFile) ? readFileSync(tokenFile, "utf8").trim() : "";
    return fetch(url + path, { method, ...(token !== "" && { headers: { authorization: `Bearer ${token}` } }) });
  };
  const json = async (path: string): Promise<JsonAnswer> => (await ask(path)).json();
  const robot = serialport === null ? ["--sim"] : ["--serialport", serialport];
  const args = ["bin/robot-daemon.mjs", ...robot, "--port", "0", "--data-dir", dataDir, ...options];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit") as Promise<[number | null]>;
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const url = await until(
    "the daemon prints its address",
    START_MS,
    () => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0],
  ).catch((error) => {
    child.kill("SIGKILL");
    throw error;
  });
  await until("the daemon answers", START_MS, async () => (await ask("/healthz")).ok);
  const readyMs = performance.now() - began;
  return {
    url,
    pid: child.pid ?? 0,
    readyMs,
    get: json,
    post: (path: string) => ask(path, "POST"),
    awake: () =>
      until("the robot is awake", 60_000, async () => {
        const { mode } = await json("/api/motors/status");
        const moves = await json("/api/move/running");
        return mode === "enabled" && moves.length === 0;
      }),
    /** Resolves with the exit code when the daemon has ended. */
    ended: async (): Promise<number | null> => (await ended)[0],
    /** Stops or goes on reading what the daemon prints. */
    readOutput: (isRead: boolean) => void child.stdout[isRead ? "resume" : "pause"](),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill("SIGTERM");
      const [code] = await once(child, "exit");
      return code;
    },
  };
}

export async function until<T>(
  what: string,
  deadlineMs: number,
  condition: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  const { waitFor } = await built("common/time/wait-for.js");
  return waitFor(deadlineMs, what, condition);
}
