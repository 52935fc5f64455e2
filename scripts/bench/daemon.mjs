// Starts the real robot-daemon, on the simulated robot or another, and talks to it as an app author's tools would.
import { spawn } from "node:child_process";
import { once } from "node:events";

/** @param {string} url @returns {Promise<any>} */
const json = async (url) => (await fetch(url)).json();

/**
 * @param {string} dataDir
 * @param {string[]} [options]
 * @param {string | null} [serialport] the robot, which is simulated unless given
 */
export async function startDaemon(dataDir, options = [], serialport = null) {
  const began = performance.now();
  const robot = serialport === null ? ["--sim"] : ["--serialport", serialport];
  const args = ["bin/robot-daemon.mjs", ...robot, "--port", "0", "--data-dir", dataDir, ...options];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const url = await until("the daemon prints its address", 15_000, () => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]);
  await until("the daemon answers", 15_000, async () => (await fetch(`${url}/healthz`)).ok);
  const readyMs = performance.now() - began;
  return {
    url,
    pid: child.pid ?? 0,
    readyMs,
    /** @param {string} path @returns {Promise<any>} */
    get: (path) => json(url + path),
    /** @param {string} path */
    post: (path) => fetch(url + path, { method: "POST" }),
    awake: () =>
      until("the robot is awake", 20_000, async () => {
        const { mode } = await json(`${url}/api/motors/status`);
        const moves = await json(`${url}/api/move/running`);
        return mode === "enabled" && moves.length === 0;
      }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill("SIGTERM");
      const [code] = await once(child, "exit");
      return code;
    },
  };
}

/**
 * @template T
 * @param {string} what
 * @param {number} deadlineMs
 * @param {() => T | Promise<T>} condition
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, deadlineMs, condition) {
  const end = performance.now() + deadlineMs;
  while (performance.now() < end) {
    try {
      const value = await condition();
      if (value) return /** @type {NonNullable<T>} */ (value);
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`not within ${deadlineMs} ms: ${what}`);
}
