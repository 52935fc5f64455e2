// What every script needs before the project's own programs can run: dependencies and build.
import { readFileSync, rmSync } from "node:fs";
import { fingerprint, unlessFresh } from "./fingerprint.mjs";
import { run, StepFailed, step } from "./steps.mjs";

const SOURCES = [
  "robot",
  "sim",
  "daemon",
  "assistant",
  "conformance",
  "package-lock.json",
  "tsconfig.base.json",
  "tsconfig.build.json",
];

/** Throws StepFailed on a Node that is too old to run the project. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new StepFailed(
      `Node ${process.versions.node} is too old: install Node 20.19 or newer (20, 22 and 24 all work).`,
    );
}

/** Dependencies from the lockfile, once for each lockfile. */
export async function installDependencies() {
  const digest = fingerprint(["package-lock.json"]);
  await step("dependencies", () =>
    unlessFresh("node_modules/.installed-lockfile", digest, () => run("npm", ["ci", "--no-audit", "--no-fund"])),
  );
}

/** Programs and their pages into dist/, once for each state of the sources. */
export async function buildPrograms() {
  const digest = fingerprint(SOURCES);
  await step("build", () =>
    unlessFresh("dist/.built-sources", digest, async () => {
      // A module that was moved or removed must not live on in the build.
      rmSync("dist", { recursive: true, force: true });
      await run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"]);
      for (const page of ["daemon/dashboard", "sim/viewer/page", "conformance/report/page"])
        await run(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--config", `${page}/vite.config.ts`]);
    }),
  );
}

export const version = JSON.parse(readFileSync("package.json", "utf8")).version;
