import { killProcessTree } from "../../common/machine/process-tree.ts";
import { Lane } from "../../conformance/runner/lane/lane.ts";
import type { FromLane, ToLane } from "../../conformance/runner/lane/messages.ts";

/** Milliseconds in which everything that this process has started is ended. */
const END_MS = 2000;

const end = new AbortController();
const lane = new Lane({ env: process.env, now: () => Date.now(), signal: end.signal });
const send = (message: FromLane): void => void process.send?.(message);

// Whatever ends this process, an error included, nothing that it has started is left.
process.on("exit", () => {
  const deadline = performance.now() + END_MS;
  // Again, because a process may start others meanwhile.
  while (killProcessTree(process.pid) > 0 && performance.now() < deadline);
});
process.on("disconnect", () => {
  end.abort(new Error("the certification was cancelled"));
  process.exit();
});
// Ctrl-C reaches the whole group of the terminal; the certification decides.
process.on("SIGINT", () => {});
process.on("message", async (message: ToLane) => {
  if (message.type === "prepare") {
    await lane.prepare(message, message.rig);
    return send({ type: "prepared" });
  }
  if (message.type === "others-end") return lane.othersEnd();
  const { task } = message;
  const result = await lane
    .execute(task, (startupSeconds) => send({ type: "connected", id: task.id, startupSeconds }))
    .catch((error: Error) => {
      return { id: task.id, testRun: null, appRuns: [], facts: {}, harnessFailure: error.message };
    });
  send({ type: "result", result });
});
