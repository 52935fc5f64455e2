// npm run soak -- bus [--minutes N] | apps [--cycles N]: hours in short, on the real programs. Prints figures; exit 1
// when one is not as it must be.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { missed } from "./bench/figures.mjs";
import { buildPrograms, checkNode, installDependencies } from "./setup/prepare.mjs";
import { StepFailed, script, step } from "./setup/steps.mjs";
import { prepareTestApps } from "./setup/test-apps.mjs";
import { soakApps } from "./soak/apps.mjs";
import { soakBus } from "./soak/bus.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "10" }, cycles: { type: "string", default: "200" } },
});

/** @type {Record<string, () => Promise<void>>} */
const SOAKS = {
  bus: () => soakBus(Number(values.minutes)),
  apps: () => soakApps(Number(values.cycles)),
};

await script(async () => {
  checkNode();
  const [name = ""] = positionals;
  const soak = SOAKS[name];
  if (soak === undefined || !(Number(values.minutes) > 0) || !(Number(values.cycles) > 0))
    throw new StepFailed("usage: npm run soak -- bus [--minutes 10] | apps [--cycles 200]");
  await installDependencies();
  await buildPrograms();
  await prepareTestApps(step);
  mkdirSync("artifacts", { recursive: true });
  await soak();
  const count = missed();
  console.log(count === 0 ? "\nAll as it must be." : `\n${count} figures are not as they must be.`);
  process.exitCode = count === 0 ? 0 : 1;
});
