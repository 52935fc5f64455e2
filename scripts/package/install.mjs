// A place for a package as a stranger has it: an empty home and an empty project, in a folder with spaces and accents.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { StepFailed } from "../setup/steps.mjs";

/** Time for one command, in milliseconds: a slow network and a busy machine. */
const COMMAND_MS = 15 * 60_000;

/**
 * `running` are the processes that were started here, each the leader of a group; `remove` ends them.
 * @typedef {{ folder: string, project: string, home: string, env: NodeJS.ProcessEnv, running: Set<ChildProcess>, remove: () => Promise<void> }} Place
 */
/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/**
 * The caches of npm and pip stay those of this machine; nothing else of the user's is seen.
 * @returns {Place}
 */
export function newPlace() {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "première séance "));
  const [project, home] = [join(folder, "mon projet"), join(folder, "chez moi")];
  mkdirSync(project);
  mkdirSync(home);
  const user = homedir();
  const env = {
    ...withoutOwn(process.env),
    HOME: home,
    PATH: (process.env.PATH ?? "")
      .split(delimiter)
      .filter((part) => !part.endsWith("node_modules/.bin"))
      .join(delimiter),
    npm_config_cache: process.env.npm_config_cache ?? join(user, ".npm"),
    npm_config_update_notifier: "false",
    PIP_CACHE_DIR: process.env.PIP_CACHE_DIR ?? join(user, ".cache/pip"),
    UV_CACHE_DIR: process.env.UV_CACHE_DIR ?? join(user, ".cache/uv"),
  };
  /** @type {Set<ChildProcess>} */
  const running = new Set();
  const remove = async () => {
    await Promise.all([...running].map(end));
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, project, home, env, running, remove };
}

/**
 * Ends a group of processes: its leader as Ctrl-C does, and then what is left of it.
 * @param {ChildProcess} leader
 */
async function end(leader) {
  if (leader.pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return;
  const ended = once(leader, "exit");
  process.kill(-leader.pid, "SIGINT");
  await ended;
  try {
    process.kill(-leader.pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}

/** @param {Place} place @param {string} file @param {string[]} args @param {NodeJS.ProcessEnv} env */
function spawnIn(place, file, args, env) {
  const child = spawn(file, args, {
    cwd: place.project,
    env: { ...place.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  place.running.add(child);
  child.once("exit", () => place.running.delete(child));
  return child;
}

/** Leaves out what npm and this project's own scripts and tests have set. @param {NodeJS.ProcessEnv} env */
const withoutOwn = (env) =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(npm_(?!config_registry)|XDG_|ROBOT_|VITEST|TEST|NODE_ENV|NODE_OPTIONS|HF_|INIT_CWD)/i.test(name),
    ),
  );

/**
 * Runs a command in the place's project and returns its output.
 * @param {Place} place
 * @param {string} command a line for the shell
 * @param {{ env?: NodeJS.ProcessEnv, exitCode?: number }} [options] the exit code that it must have; default 0
 * @returns {Promise<string>}
 */
export function runIn(place, command, { env = {}, exitCode = 0 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawnIn(place, "/bin/sh", ["-c", command], env);
    const late = setTimeout(() => void end(child), COMMAND_MS);
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(late);
      if (code === exitCode) resolve(output);
      else reject(new StepFailed(`${command} ended with ${code ?? signal}:\n${output.slice(-4000)}`));
    });
  });
}

/**
 * Installs a tarball with the package cache where it is warm.
 * @param {Place} place
 * @param {string} tarball
 */
export const npmInstall = (place, tarball) =>
  runIn(place, `npm install --prefer-offline --no-audit --no-fund '${tarball}'`);

/**
 * Starts a program that runs until it is stopped. Resolves when its output matches.
 * @param {Place} place
 * @param {string[]} command a program of the project and its arguments
 * @param {RegExp} ready
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ match: RegExpExecArray, output: () => string, stop: () => Promise<number | null> }>}
 */
export function start(place, [program = "", ...args], ready, env = {}) {
  const child = spawnIn(place, join(place.project, "node_modules/.bin", program), args, env);
  let output = "";
  const ended = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
  return new Promise((resolve, reject) => {
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
      const match = ready.exec(output);
      if (match === null) return;
      const stop = async () => {
        child.kill("SIGINT");
        return /** @type {Promise<number | null>} */ (ended);
      };
      resolve({ match, output: () => output, stop });
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", reject);
    child.once("exit", (code) => reject(new StepFailed(`${program} ended with ${code}:\n${output.slice(-4000)}`)));
  });
}
