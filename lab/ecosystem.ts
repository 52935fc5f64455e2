// npm run ecosystem [-- surface] [apps] [certify] [--sdk VERSION]: runs the public SDK and apps that are written for it on the
// built programs, and prints what works. The SDK looks for the daemon at port 8000; where the system allows, it runs in a
// network of its own, so that no other program is in the way.
// npm run ecosystem -- versions [VERSION...]: the SDK's surface, version by version.
// npm run ecosystem -- peer [--minutes 10]: the public daemon on robot-sim, driven by its own SDK, also with faults on the wire.
// npm run ecosystem -- threads [rm1401 ...]: the scenarios of users' threads on the public daemon; writes the results.
// npm run ecosystem -- cost: processor time and memory of both daemons in the same half minute.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { buildPrograms, checkNode, installDependencies } from "../scripts/setup/prepare.mjs";
import { StepFailed, script } from "../scripts/setup/steps.mjs";
import { canOwnNetwork, inOwnNetwork, SHARED } from "./ecosystem/own-network.ts";
import { prepareDaemon } from "./ecosystem/peer.ts";
import { preparePublicSdk, SDK_VERSION } from "./ecosystem/public-sdk.ts";

const PARTS = ["surface", "apps", "certify"];
/** Those whose programs look for the daemon at port 8000; `certify` has networks of its own, and installs from the index. */
const AT_FIXED_PORT = ["surface", "apps"];
/** Parts that need the package index, or that are long; only when they are asked for. */
const MORE = ["versions", "cost", "peer", "threads"];
const VERSION = /^\d+\.\d+\.\d+$/;
const THREAD = /^(rm|da|ca)\d+$/;

await script(async () => {
  checkNode();
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sdk: { type: "string", default: SDK_VERSION }, minutes: { type: "string", default: "10" } },
  });
  if (!positionals.every((part) => [...PARTS, ...MORE].includes(part) || VERSION.test(part) || THREAD.test(part)))
    throw new StepFailed(`usage: npm run ecosystem -- [${[...PARTS, ...MORE].join("] [")}] [--sdk ${SDK_VERSION}]`);
  await installDependencies();
  await buildPrograms();
  mkdirSync("artifacts/ecosystem", { recursive: true });
  await preparePublicSdk(values.sdk);
  process.env.ECOSYSTEM_MINUTES = values.minutes;
  const asked = positionals.length === 0 ? PARTS : positionals;
  const isThreads = asked.includes("threads");
  if (isThreads) await prepareDaemon();
  // In its own network the public daemon's port is free.
  const local = asked.filter(
    (part) => AT_FIXED_PORT.includes(part) || (isThreads && (part === "threads" || THREAD.test(part))),
  );
  const codes = [];
  if (local.length > 0) codes.push(await runParts(local, values.sdk, await canOwnNetwork()));
  if (local.length < asked.length) {
    const rest = asked.filter((part) => !local.includes(part));
    codes.push(await runParts(rest, values.sdk, null));
  }
  process.exitCode = Math.max(...codes);
});

/**
 * @param isOwn whether there is a network of its own; null where none is needed
 * @returns exit code
 */
async function runParts(parts: string[], sdk: string, isOwn: boolean | null): Promise<number> {
  if (isOwn === false) console.log(`  ${SHARED}`);
  const command = [process.execPath, "--import", "tsx", "lab/ecosystem/run.ts", ...parts];
  const [file = "", ...args] = isOwn === true ? inOwnNetwork(command) : command;
  const { exitCode } = await execa(file, args, { stdio: "inherit", env: { ECOSYSTEM_SDK: sdk }, reject: false });
  return exitCode ?? 1;
}
