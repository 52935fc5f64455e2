// npm run soak -- bus [--minutes N] | apps [--cycles N] | kill [--rounds N] [--seed N] | attack [NAME...]
// [--seconds N] | catalogue [--apps N] [--whole M] [--seed N]: endurance tests of the built programs. Prints figures; exit code 1 when one misses its target.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildPrograms, checkNode, installDependencies } from "../scripts/setup/prepare.mjs";
import { StepFailed, script, step } from "../scripts/setup/steps.mjs";
import { prepareTestApps } from "../scripts/setup/test-apps.mjs";
import { missCount } from "./bench/figures.ts";
import { soakApps } from "./soak/apps.ts";
import { soakAttacks } from "./soak/attack.ts";
import { soakBus } from "./soak/bus.ts";
import { soakCatalogue } from "./soak/catalogue.ts";
import { soakKills } from "./soak/kill.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "10" },
    cycles: { type: "string", default: "200" },
    rounds: { type: "string", default: "30" },
    seconds: { type: "string", default: "15" },
    apps: { type: "string", default: "1000" },
    whole: { type: "string", default: "0" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

const SOAKS: Record<string, () => Promise<void>> = {
  bus: () => soakBus(Number(values.minutes)),
  apps: () => soakApps(Number(values.cycles)),
  kill: () => soakKills(Number(values.rounds), Number(values.seed)),
  catalogue: () => soakCatalogue(Number(values.apps), Number(values.whole), Number(values.seed)),
  attack: () => soakAttacks(positionals.slice(1), Number(values.seconds)),
};

await script(async () => {
  checkNode();
  const [name = ""] = positionals;
  const soak = SOAKS[name];
  const counts = [values.minutes, values.cycles, values.rounds, values.seconds, values.apps].map(Number);
  if (soak === undefined || !counts.every((count) => count > 0) || !Number.isInteger(Number(values.seed)))
    throw new StepFailed(
      "usage: npm run soak -- bus [--minutes 10] | apps [--cycles 200] | kill [--rounds 30] [--seed N] | " +
        "attack [NAME...] [--seconds 15] | catalogue [--apps 1000] [--whole 0] [--seed N]",
    );
  await installDependencies();
  await buildPrograms();
  await prepareTestApps(step);
  mkdirSync("artifacts", { recursive: true });
  await soak();
  const count = missCount();
  console.log(count === 0 ? "\nAll targets are met." : `\n${count} figures missed their targets.`);
  process.exitCode = count === 0 ? 0 : 1;
});
