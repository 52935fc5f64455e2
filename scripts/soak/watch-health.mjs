// A worker thread that requests a daemon's health over and over, so that what an attacker does in the main thread does not delay
// it. Answers "stop" with the slowest check in milliseconds; infinite when one was refused.
import { parentPort, workerData } from "node:worker_threads";

const PAUSE_MS = 50;
let slowest = 0;
let isRunning = true;
parentPort?.once("message", () => {
  isRunning = false;
});
while (isRunning) {
  const began = performance.now();
  const isAnswered = await fetch(`${workerData}/healthz`, { headers: { connection: "close" } })
    .then((answer) => answer.text())
    .then(
      () => true,
      () => false,
    );
  slowest = Math.max(slowest, isAnswered ? performance.now() - began : Number.POSITIVE_INFINITY);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
parentPort?.postMessage(slowest);
