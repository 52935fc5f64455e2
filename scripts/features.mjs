// npm run features [-- --host http://host:port | --spawn | --pty | --tcp] [-- cucumber options]: the scenarios against a
// daemon in this process, the real robot-daemon (--spawn), the same with a robot-sim over a tty (--pty) or TCP (--tcp)
// for a robot, or a daemon that runs already (--host; its token, when it asks for one, in ROBOT_DAEMON_TOKEN).
import { mkdirSync } from "node:fs";
import { buildPrograms, checkNode, installDependencies } from "./setup/prepare.mjs";
import { StepFailed, script, step } from "./setup/steps.mjs";
import { runFeatures } from "./setup/suites.mjs";
import { prepareTestApps } from "./setup/test-apps.mjs";

const TARGETS = ["spawn", "pty", "tcp"];

/** @param {string} target @param {string | undefined} host */
function leftOut(target, host) {
  // A daemon that is not ours has its own options and may not be killed.
  if (host !== undefined) return ["--tags", "not @spawn and not @own-daemon and not @sim"];
  // What the daemon does for a robot that it simulates itself: another one has a microphone of its own.
  return target === "pty" || target === "tcp" ? ["--tags", "not @sim"] : [];
}

await script(async () => {
  checkNode();
  const options = process.argv.slice(2);
  const at = options.indexOf("--host");
  const host = at < 0 ? undefined : options.splice(at, 2)[1];
  if (at >= 0 && !/^https?:\/\//.test(host ?? ""))
    throw new StepFailed(
      `--host takes the address of a daemon, for example http://127.0.0.1:8000, not ${host ?? "nothing"}.`,
    );
  const target = TARGETS.find((name) => options.includes(`--${name}`)) ?? "in-process";
  await installDependencies();
  await buildPrograms();
  if (host === undefined) await prepareTestApps(step);
  mkdirSync("artifacts", { recursive: true });
  const counts = await runFeatures(
    [...leftOut(target, host), ...options.filter((option) => option !== `--${target}`)],
    {
      FEATURES_TARGET: host ?? target,
    },
  );
  console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
});
