// npm run features [-- --host http://host:port | --spawn | --pty | --tcp] [--cold] [cucumber options]: runs the scenarios with a
// daemon in this process, with the real robot-daemon (--spawn), with that and a robot-sim over a tty (--pty) or TCP
// (--tcp), or with a running daemon (--host; if it needs a token: ROBOT_DAEMON_TOKEN). With --cold no interpreter waits for the
// next start of an app.
import { mkdirSync } from "node:fs";
import { buildPrograms, checkNode, installDependencies } from "./setup/prepare.mjs";
import { StepFailed, script, step } from "./setup/steps.mjs";
import { prepareTestApps } from "./setup/test-apps.mjs";
import { runFeatures } from "./test/suites.mjs";

const TARGETS = ["spawn", "pty", "tcp"];

/** @param {string} target @param {string | undefined} host */
function excludedTags(target, host) {
  // A daemon that this script did not start has its own options and must not be killed.
  if (host !== undefined) return ["--tags", "not @spawn and not @own-daemon and not @sim"];
  // @sim: features that exist only for a robot that the daemon simulates itself.
  return target === "pty" || target === "tcp" ? ["--tags", "not @sim"] : [];
}

await script(async () => {
  checkNode();
  const options = process.argv.slice(2);
  const at = options.indexOf("--host");
  const host = at < 0 ? undefined : options.splice(at, 2)[1];
  if (at >= 0 && !/^https?:\/\//.test(host ?? ""))
    throw new StepFailed(
      `--host needs the address of a daemon, for example http://127.0.0.1:8000, not ${host ?? "nothing"}.`,
    );
  const isCold = options.includes("--cold");
  const target = TARGETS.find((name) => options.includes(`--${name}`)) ?? "in-process";
  await installDependencies();
  await buildPrograms();
  if (host === undefined) await prepareTestApps(step);
  mkdirSync("artifacts", { recursive: true });
  const counts = await runFeatures(
    [...excludedTags(target, host), ...options.filter((option) => ![`--${target}`, "--cold"].includes(option))],
    { env: { FEATURES_TARGET: host ?? target, ...(isCold && { FEATURES_WARM_START: "no" }) } },
  );
  console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
});
