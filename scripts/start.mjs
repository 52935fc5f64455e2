// npm start: prepares a fresh clone and runs a simulated robot with an example app. Options after `--` go to robot-daemon.
import { existsSync } from "node:fs";
import { buildPrograms, checkNode, installDependencies, version } from "./setup/prepare.mjs";
import { handleSignals, interruption, script, step } from "./setup/steps.mjs";

const EXAMPLE = "fixtures/apps/hello_robot";

/** Imports a module of the build, which exists only after the build step. */
const built = (/** @type {string} */ path) => import(new URL(`../dist/${path}`, import.meta.url).href);

await script(async () => {
  checkNode();
  const stopHandlingSignals = handleSignals();
  console.log("Preparing the workbench:");
  await installDependencies();
  await buildPrograms();

  const given = process.argv.slice(2);
  const { dataDirOf, parseInvocation } = await built("daemon/command-line/options.js");
  const { prepareApp } = await built("daemon/start/prepare.js");
  try {
    // Reports invalid options before the long steps.
    parseInvocation(["--sim", ...given], process.env, version, (/** @type {string} */ text) =>
      process.stderr.write(text),
    );
  } catch (/** @type {any} */ error) {
    if (error.exitCode === undefined) throw error;
    process.exit(error.exitCode === 0 ? 0 : 2);
  }
  const dataDir = dataDirOf(given, process.env);
  if (existsSync(EXAMPLE)) {
    const { signal } = interruption;
    await prepareApp({ dataDir, appFolder: EXAMPLE, sdkFolder: "sdk", env: process.env, step, signal });
  }

  const hasStartupApp = given.some((option) => option === "--startup-app" || option.startsWith("--startup-app="));
  const defaults = ["--sim", ...(hasStartupApp ? [] : ["--startup-app", "hello_robot"])];
  process.argv = [process.argv[0] ?? "node", "robot-daemon", ...defaults, ...given];
  stopHandlingSignals();
  await built("daemon/main.js");
});
