// npm run first-session [-- --tarball FILE]: a machine with only Node, Python and the package's tarball. Installs it, makes an
// app, runs it until the robot moves, then checks, certifies and publishes it and removes everything again. Prints the time
// of each step; exit code 1 when a step fails or the first motion is late.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { newPlace } from "../scripts/package/install.mjs";
import { pack } from "../scripts/package/pack.mjs";
import { fromAppToHub, fromNothingToMotion, removeAll } from "../scripts/package/session.mjs";
import { handleSignals, interruption, script, step } from "../scripts/setup/steps.mjs";

/** Time from nothing to the first motion of the app with a warm package cache, in seconds. */
const TARGET_S = 60;

const { values } = parseArgs({ options: { tarball: { type: "string" } } });

await script(async () => {
  const tarball = values.tarball ? resolve(values.tarball) : (await step("npm pack", () => pack("artifacts"))).file;
  const place = newPlace();
  const stopHandlingSignals = handleSignals();
  interruption.signal.addEventListener("abort", () => void place.remove());
  try {
    const seconds = await fromNothingToMotion(place, tarball, step);
    console.log(`\n  Nothing to first motion: ${seconds.toFixed(1)} s (target: ${TARGET_S} s)\n`);
    await fromAppToHub(place, step, { wholeCertification: true });
    await removeAll(place, step);
    process.exitCode = seconds <= TARGET_S ? 0 : 1;
  } finally {
    await place.remove();
    stopHandlingSignals();
  }
});
