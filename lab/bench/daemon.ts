// Starts the built robot-daemon, with a simulated or another robot, and a client for its REST interface.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import WebSocket from "ws";
import { waitFor } from "../../common/time/wait-for.ts";

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
  const ask = (path: string, method = "GET", body?: object) => {
    const token = options.includes("--host") && existsSync(tokenFile) ? readFileSync(tokenFile, "utf8").trim() : "";
    const headers = {
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    return fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
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
    post: (path: string, body?: object) => ask(path, "POST", body),
    put: (path: string, body: object) => ask(path, "PUT", body),
    /** Waits until the app in the slot is in one of these states. @returns its status */
    appIs: (states: string[], deadlineMs: number) =>
      until(`the app is ${states.join(" or ")}`, deadlineMs, async () => {
        const status = await json("/api/apps/current-app-status");
        return states.includes(status?.state) && status;
      }),
    /** Opens a WebSocket. */
    socket: (path: string): Promise<WebSocket> => {
      const socket = new WebSocket(url.replace("http", "ws") + path);
      return new Promise((resolve, reject) => {
        socket.once("open", () => resolve(socket));
        // A connection that the daemon cuts off ends with an error.
        socket.on("error", reject);
      });
    },
    awake: () =>
      until("the robot is awake", 60_000, async () => {
        const { mode } = await json("/api/motors/status");
        const moves = await json("/api/move/running");
        return mode === "enabled" && moves.length === 0;
      }),
    /** Stops or goes on reading what the daemon prints. */
    readOutput: (isRead: boolean) => void child.stdout[isRead ? "resume" : "pause"](),
    stop: async () => {
      child.kill("SIGTERM");
      return (await ended)[0];
    },
  };
}

/** As `waitFor`, with the condition in words first. */
export const until = <T>(what: string, deadlineMs: number, condition: Condition<T>): Promise<T> =>
  waitFor(deadlineMs, what, condition);

type Result<T> = T | undefined | false | null;
type Condition<T> = () => Result<T> | Promise<Result<T>>;
