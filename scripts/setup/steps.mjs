// Set-up steps with progress: each has a name and a time, and shows its command's output when it fails.
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Aborted when the script gets a signal; see `handleSignals`. The commands of `run` then end too. */
export const interruption = new AbortController();

/**
 * Makes SIGINT, SIGTERM and SIGHUP cancel the running step instead of ending the process, so that it can clean up;
 * `script` then reports it and exits like a shell, with 128 plus the signal's number.
 * @returns {() => void} removes the handlers
 */
export function handleSignals() {
  /** @param {NodeJS.Signals} signal */
  const abort = (signal) => interruption.abort(signal);
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  for (const signal of signals) process.on(signal, abort);
  return () => {
    for (const signal of signals) process.off(signal, abort);
  };
}

/** A step that failed; the scripts print its message and exit with code 1. */
export class StepFailed extends Error {}

/** Names of the steps that run, with the time when each began. @type {Map<string, number>} */
const running = new Map();
const LIVE = process.stdout.isTTY === true;
const REDRAW_MS = 200;
/** @type {NodeJS.Timeout | undefined} */
let redraw;

/** Shows the running steps in the last line of a terminal. */
function draw() {
  const steps = [...running].map(([name, began]) => `${name} (${secondsSince(began)} s)`);
  process.stdout.write(`\r\x1b[K${steps.length === 0 ? "" : `  … ${steps.join(", ")}`}`);
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${LIVE ? "\r\x1b[K" : ""}  ${line}\n`);
  if (LIVE) draw();
}

const secondsSince = (/** @type {number} */ began) => ((performance.now() - began) / 1000).toFixed(1);

/**
 * Runs one step and shows `name (3.1 s)` while it runs (on a terminal) and `ok name (3.1 s)` when it is done. Steps may
 * run at the same time. `work` may return "unchanged" when there was nothing to do; the step is then shown without a time.
 * @template T
 * @param {string} name
 * @param {() => Promise<T> | T} work
 * @returns {Promise<T>}
 */
export async function step(name, work) {
  const began = performance.now();
  running.set(name, began);
  if (LIVE) redraw ??= setInterval(draw, REDRAW_MS);
  else print(`… ${name}`);
  const finish = (/** @type {string} */ line) => {
    running.delete(name);
    if (running.size === 0) {
      clearInterval(redraw);
      redraw = undefined;
    }
    print(line);
  };
  try {
    const result = await work();
    finish(result === "unchanged" ? `ok ${name}` : `ok ${name} (${secondsSince(began)} s)`);
    return result;
  } catch (error) {
    finish(`FAILED ${name} (${secondsSince(began)} s)`);
    throw error;
  }
}

/** The beginning and the end of a long output: npm says first what is wrong, pip last. @param {string} output */
const excerpt = (output) => (output.length <= 4000 ? output : `${output.slice(0, 1000)}\n…\n${output.slice(-3000)}`);

/**
 * Runs a command and returns its output.
 * @throws StepFailed with the command's output when it fails
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<string>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const { signal } = interruption;
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], signal, ...options });
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", (error) => reject(new StepFailed(`${command}: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new StepFailed(`${command} ${args.join(" ")} ended with ${code ?? signal}:\n${excerpt(output)}`));
    });
  });
}

/**
 * Runs the body of a script. A StepFailed, or an error of the registry, is printed without a stack, and the exit code is
 * 1. The registry is part of the build, which may not exist here, so its errors are recognised by their name.
 * @param {() => Promise<void>} body
 */
export async function script(body) {
  try {
    await body();
  } catch (error) {
    const { aborted, reason } = interruption.signal;
    if (aborted) {
      process.stderr.write(`\nInterrupted by ${reason}; the next run repeats the unfinished step.\n`);
      process.exit(128 + constants.signals[/** @type {NodeJS.Signals} */ (reason)]);
    }
    if (!(error instanceof StepFailed || (error instanceof Error && error.name === "WorkbenchError"))) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
