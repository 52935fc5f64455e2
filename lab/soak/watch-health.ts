// A process that requests a daemon's health over and over, so that what an attacker does in the main process does not delay it.
// Says "ready" after a first check, which is not counted because it loads what the others need; answers "stop" with the
// slowest check in milliseconds, infinite when one was refused.
import { once } from "node:events";
import { get } from "node:http";

const PAUSE_MS = 50;
let slowest = 0;
let isRunning = true;
process.once("message", () => {
  isRunning = false;
});
process.once("disconnect", () => process.exit());

/** Requests the health by a connection of its own, and reads the answer. */
async function check(): Promise<void> {
  const [answer] = await once(get(`${process.argv[2]}/healthz`, { agent: false }), "response");
  await once(answer.resume(), "end");
}

await check();
process.send?.("ready");
while (isRunning) {
  const began = performance.now();
  const isAnswered = await check().then(
    () => true,
    () => false,
  );
  slowest = Math.max(slowest, isAnswered ? performance.now() - began : Number.POSITIVE_INFINITY);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
process.send?.(slowest, () => process.disconnect());
