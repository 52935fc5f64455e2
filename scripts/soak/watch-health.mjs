// A worker thread that requests a daemon's health over and over, so that what an attacker does in the main thread does not delay
// it. Says "ready" after a first check, which is not counted because it loads what the others need; answers "stop" with the
// slowest check in milliseconds, infinite when one was refused.
import { once } from "node:events";
import { get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const PAUSE_MS = 50;
let slowest = 0;
let isRunning = true;
parentPort?.once("message", () => {
  isRunning = false;
});

/** Requests the health by a connection of its own. @returns {Promise<void>} settles when the answer has been read */
async function check() {
  const [answer] = await once(get(`${workerData}/healthz`, { agent: false }), "response");
  await once(answer.resume(), "end");
}

await check();
parentPort?.postMessage("ready");
while (isRunning) {
  const began = performance.now();
  const isAnswered = await check().then(
    () => true,
    () => false,
  );
  slowest = Math.max(slowest, isAnswered ? performance.now() - began : Number.POSITIVE_INFINITY);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
parentPort?.postMessage(slowest);
