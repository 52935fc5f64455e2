// Ends everything that the tests have started, and removes their temporary files.
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { built } from "../setup/built.mjs";

/** The processes of a run have it in their environment, and hand it on. */
const RUN_VARIABLE = "ROBOT_TEST_RUN";
/** Time for the system to end processes that were killed, on a busy machine. */
const TIMEOUT_MS = 30_000;

/**
 * Does work that starts processes with the variables `env`; when it is over or has failed, none of them is left, and no file of
 * their folder for temporary files.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 * @param {(text: string) => void} onLeft is told about each process that the work left behind
 */
export async function leavingNothing(work, onLeft) {
  const folder = mkdtempSync(join(tmpdir(), "tests-"));
  const run = `${process.pid} ${folder}`;
  try {
    return await work({ [RUN_VARIABLE]: run, TMPDIR: folder });
  } finally {
    for (const left of await endProcesses(run)) onLeft(left);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error) => onLeft(error.message));
  }
}

/**
 * Kills the descendants of this process, and those whose parents have ended but that have the run in their environment.
 * @param {string} run value of the variable
 * @returns {Promise<string[]>} process ids and commands of the processes that it found
 */
async function endProcesses(run) {
  const tree = await built("common/machine/process-tree.js");
  const { systemClock } = await built("common/time/clock.js");
  const { signalled } = await tree.endProcesses({ root: process.pid, environment: [RUN_VARIABLE, run] }, systemClock, [
    { signal: "SIGKILL", waitMs: TIMEOUT_MS },
  ]);
  return signalled.map(
    (/** @type {{ pid: number, command: string }} */ { pid, command }) => `${pid} ${command.slice(0, 150)}`,
  );
}
