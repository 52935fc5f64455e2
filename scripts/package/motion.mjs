// Notices the first motion that an app makes.
import { once } from "node:events";
import WebSocket from "ws";

/** Change of a joint that counts as a motion, in radians. */
const MOVED_RAD = 0.02;
const DEADLINE_MS = 120_000;

/**
 * Resolves when a joint has moved while the app is running: the waking up before does not count.
 * @param {string} url of the daemon
 */
export async function firstMotionOf(url) {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  while ((await appState(url, signal)) !== "running") await new Promise((resolve) => setTimeout(resolve, 20));
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/sdk`);
  await once(socket, "open", { signal });
  /** @type {number[] | undefined} */
  let first;
  try {
    await new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      socket.on("message", (data) => {
        const message = JSON.parse(String(data));
        if (message.type !== "joint_positions") return;
        const joints = [...message.head_joint_positions, ...message.antennas_joint_positions];
        first ??= joints;
        if (joints.some((angle, index) => Math.abs(angle - (first?.[index] ?? 0)) > MOVED_RAD)) resolve(undefined);
      });
    });
  } finally {
    socket.close();
  }
}

/** State of the slot; undefined before an app was started. @param {string} url @param {AbortSignal} signal */
async function appState(url, signal) {
  const response = await fetch(`${url}/api/apps/current-app-status`, { signal });
  const status = /** @type {{ state?: string } | null} */ (await response.json());
  return status?.state;
}
