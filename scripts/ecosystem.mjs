// npm run ecosystem [-- surface] [apps] [certify] [--sdk VERSION]: runs the public SDK and apps that are written for it on
// the built programs, and prints what works. The SDK always looks for the daemon at port 8000; where the system allows, all
// of it runs in a network of its own, so that no other program is in the way.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { canOwnNetwork, inOwnNetwork, SHARED } from "./ecosystem/own-network.mjs";
import { preparePublicSdk } from "./ecosystem/public-sdk.mjs";
import { buildPrograms, checkNode, installDependencies } from "./setup/prepare.mjs";
import { StepFailed, script, step } from "./setup/steps.mjs";

/** The version of the SDK that is known to run here. */
const SDK_VERSION = "1.13.0";
const PARTS = ["surface", "apps", "certify"];

await script(async () => {
  checkNode();
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sdk: { type: "string", default: SDK_VERSION } },
  });
  if (!positionals.every((part) => PARTS.includes(part)))
    throw new StepFailed(`usage: npm run ecosystem -- [${PARTS.join("] [")}] [--sdk ${SDK_VERSION}]`);
  await installDependencies();
  await buildPrograms();
  mkdirSync("artifacts/ecosystem", { recursive: true });
  await preparePublicSdk(values.sdk, step);
  const parts = positionals.length === 0 ? PARTS : positionals;
  const isOwn = await canOwnNetwork();
  if (!isOwn) console.log(`  ${SHARED}`);
  const command = [process.execPath, resolve("scripts/ecosystem/run.mjs"), ...parts];
  const [file = "", ...args] = isOwn ? inOwnNetwork(command) : command;
  process.exitCode = await new Promise((done, fail) => {
    const child = spawn(file, args, { stdio: "inherit", env: { ...process.env, ECOSYSTEM_SDK: values.sdk } });
    child.once("error", fail);
    child.once("exit", (code) => done(code ?? 1));
  });
});
