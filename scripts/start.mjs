// npm start: from a fresh clone to a simulated robot that moves. Options after `--` go to robot-daemon.
import { existsSync } from "node:fs";
import { buildPrograms, checkNode, installDependencies, version } from "./setup/prepare.mjs";
import { heedSignals, interruption, script, step } from "./setup/steps.mjs";

const EXAMPLE = "fixtures/apps/hello_robot";

/** A module of the build, which does not exist before the steps below have run. */
const built = (/** @type {string} */ path) => import(new URL(`../dist/${path}`, import.meta.url).href);

await script(async () => {
  checkNode();
  const leaveSignals = heedSignals();
  console.log("Preparing the workbench:");
  await installDependencies();
  await buildPrograms();

  const given = process.argv.slice(2);
  const { dataDirOf, parseInvocation } = await built("daemon/options.js");
  const { prepareApp } = await built("daemon/prepare.js");
  try {
    // A slip of the pen is told before the long steps, not after them.
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
  leaveSignals();
  await built("daemon/main.js");
});
