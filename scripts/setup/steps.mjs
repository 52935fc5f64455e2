// Set-up steps with progress: each is named, timed and, when it fails, shows what its command printed.
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Aborted when somebody ends the script; see `heedSignals`. Commands of `run` end then, whoever was signalled. */
export const interruption = new AbortController();

/**
 * From here on SIGINT, SIGTERM and SIGHUP end the running step instead of the process, so that it can clean up; `script`
 * then says so and exits as a shell does, with 128 and the signal's number.
 * @returns {() => void} gives the signals back
 */
export function heedSignals() {
  /** @param {NodeJS.Signals} signal */
  const heed = (signal) => interruption.abort(signal);
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  for (const signal of signals) process.on(signal, heed);
  return () => {
    for (const signal of signals) process.off(signal, heed);
  };
}

/** A step that failed, with the text a person needs; the scripts print it and exit 1. */
export class StepFailed extends Error {}

/**
 * Runs one step and shows `name … 3 s` while it works (on a terminal) and `ok name (3.1 s)` when it is done.
 * `work` may return "fresh" to say that nothing was to be done; then the step is shown without a time.
 * @template T
 * @param {string} name
 * @param {() => Promise<T> | T} work
 * @returns {Promise<T>}
 */
export async function step(name, work) {
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1);
  const live = process.stdout.isTTY === true;
  const draw = () => process.stdout.write(`\r\x1b[K  … ${name} (${seconds()} s)`);
  const timer = live ? setInterval(draw, 200) : undefined;
  if (live) draw();
  else process.stdout.write(`  … ${name}\n`);
  const finish = (/** @type {string} */ line) => {
    clearInterval(timer);
    process.stdout.write(`${live ? "\r\x1b[K" : ""}  ${line}\n`);
  };
  try {
    const result = await work();
    finish(result === "fresh" ? `ok ${name}` : `ok ${name} (${seconds()} s)`);
    return result;
  } catch (error) {
    finish(`FAILED ${name} (${seconds()} s)`);
    throw error;
  }
}

/**
 * Runs a command to its end and returns what it printed; throws StepFailed with its output when it fails.
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
      else reject(new StepFailed(`${command} ${args.join(" ")} ended with ${code ?? signal}:\n${output.slice(-4000)}`));
    });
  });
}

/**
 * Runs the body of a script: a StepFailed, or an error of the registry, becomes its message and exit code 1, without a
 * stack. The registry is part of the build, which may not exist here, so its errors are known by their name.
 * @param {() => Promise<void>} body
 */
export async function script(body) {
  try {
    await body();
  } catch (error) {
    const { aborted, reason } = interruption.signal;
    if (aborted) {
      process.stderr.write(`\nInterrupted by ${reason}; what is half-made is made anew next time.\n`);
      process.exit(128 + constants.signals[/** @type {NodeJS.Signals} */ (reason)]);
    }
    if (!(error instanceof StepFailed || (error instanceof Error && error.name === "WorkbenchError"))) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
