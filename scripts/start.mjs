// npm start: prepares a fresh clone and runs a simulated robot with an example app. Options after `--` go to robot-daemon.
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { built } from "./setup/built.mjs";
import { buildPrograms, checkNode, checkPython, installDependencies, version } from "./setup/prepare.mjs";
import { handleSignals, interruption, StepFailed, script, step } from "./setup/steps.mjs";

const EXAMPLE = "fixtures/apps/hello_robot";

/**
 * Reports a port that is taken before the set-up, which may take minutes. The daemon checks all options after it.
 * @param {string[]} options
 */
async function checkPort(options) {
  if (options.some((option) => option === "--help" || option === "-h")) return;
  const port = Number(/--port[= ](\d+)/.exec(options.join(" "))?.[1] ?? 8000);
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", () => server.close(resolve));
  }).catch(({ code }) => {
    if (code === "EADDRINUSE") return portTaken(port);
  });
}

const PROBE_MS = 100;

/** @param {number} port @throws StepFailed with what to do */
async function portTaken(port) {
  const url = `http://127.0.0.1:${port}`;
  const isDaemon = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  throw new StepFailed(
    isDaemon
      ? `A robot-daemon runs on port ${port} already: use ${url}/, or end it first.`
      : `Port ${port} is taken by another program: stop it, or choose another port: npm start -- --port ${port + 1}`,
  );
}

/**
 * Reports invalid options before the long steps, then prepares the apps' environment with the example app.
 * @param {string[]} given
 * @returns {Promise<number | undefined>} the exit code for invalid options and for --help
 */
async function prepareExample(given) {
  const { dataDirOf, parseInvocation } = await built("daemon/command-line/options.js");
  const { prepareApp } = await built("daemon/start/prepare.js");
  try {
    parseInvocation(["--sim", ...given], process.env, version, (/** @type {string} */ text) =>
      process.stderr.write(text),
    );
  } catch (/** @type {any} */ error) {
    if (error.exitCode === undefined) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  const dataDir = dataDirOf(given, process.env);
  if (existsSync(EXAMPLE)) {
    const { signal } = interruption;
    const options = { sdkFolder: "sdk", env: process.env, step, signal, onRenamed: console.error };
    await prepareApp({ dataDir, appFolder: EXAMPLE, ...options });
  }
}

await script(async () => {
  checkNode();
  await checkPort(process.argv.slice(2));
  checkPython();
  const stopHandlingSignals = handleSignals();
  console.log("Preparing the workbench:");
  await installDependencies();
  const given = process.argv.slice(2);
  const exitCode = await buildPrograms(() => prepareExample(given));
  if (exitCode !== undefined) process.exit(exitCode);

  const hasStartupApp = given.some((option) => option === "--startup-app" || option.startsWith("--startup-app="));
  const defaults = ["--sim", ...(hasStartupApp ? [] : ["--startup-app", "hello_robot"])];
  process.argv = [process.argv[0] ?? "node", "robot-daemon", ...defaults, ...given];
  stopHandlingSignals();
  await built("programs/robot-daemon/main.js");
});
