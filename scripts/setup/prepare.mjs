// Prepares what every script needs: dependencies and build.
import { spawnSync } from "node:child_process";
import { cpSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { fingerprint, unlessFresh } from "./fingerprint.mjs";
import { PYTHON_SCRIPTS, SOURCE_FOLDERS } from "./source-folders.mjs";
import { run, StepFailed, step } from "./steps.mjs";

const SOURCES = [...SOURCE_FOLDERS, "package-lock.json", "tsconfig.base.json", "tsconfig.build.json"];

/** @throws StepFailed when Node is too old to run the project */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new StepFailed(
      `Node ${process.versions.node} is too old: install Node 20.19 or newer (20, 22 and 24 all work).`,
    );
}

/** @throws StepFailed without a Python for the apps; the daemon would say so after the long steps */
export function checkPython() {
  const python = process.env.ROBOT_PYTHON || "python3";
  const succeeds = (/** @type {string} */ file, /** @type {string[]} */ args) =>
    spawnSync(file, args, { stdio: "ignore" }).status === 0;
  const script = "import sys; sys.exit(sys.version_info < (3, 10))";
  // uv makes environments without these modules.
  if (succeeds(python, ["-c", `import venv, ensurepip; ${script}`])) return;
  if (succeeds("uv", ["--version"]) && succeeds(python, ["-c", script])) return;
  throw new StepFailed(
    `${python} is no Python 3.10 or newer with its venv module, which apps need: install it (apt install python3-venv, brew install python), or let the variable ROBOT_PYTHON name another.`,
  );
}

/** Without a network npm would report after more than a minute. */
const FEW_RETRIES = ["--fetch-retries=2", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"];
/** How npm says that it cannot reach a registry; what a registry answers is no such error. */
const NO_NETWORK = /npm (?:error|ERR!) code (EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)/;

/** Why npm cannot reach its registry; null when it can. */
async function networkProblem() {
  try {
    await run("npm", ["ping", "--fetch-retries=0", "--fetch-timeout=5000"]);
    return null;
  } catch (error) {
    return NO_NETWORK.exec(error instanceof StepFailed ? error.message : "")?.[1] ?? null;
  }
}

/** Installs dependencies from the lock file, once per lock file. */
export async function installDependencies() {
  const digest = fingerprint(["package-lock.json"]);
  await step("dependencies", () =>
    unlessFresh("node_modules/.installed-lockfile", digest, async () => {
      if (lstatSync("node_modules", { throwIfNoEntry: false })?.isSymbolicLink())
        throw new StepFailed(
          "node_modules is a link, and npm would empty the folder that it leads to: remove the link, or set up that folder.",
        );
      const problem = await networkProblem();
      const options = problem === null ? FEW_RETRIES : ["--offline"];
      await run("npm", ["ci", "--no-audit", "--no-fund", ...options]).catch((error) => {
        if (problem === null || !(error instanceof StepFailed)) throw error;
        throw new StepFailed(
          `The registry of npm does not answer (${problem}), and not all packages are in npm's cache: connect to the network once, then run this again.`,
        );
      });
    }),
  );
}

/**
 * Builds programs and pages into dist/, once per state of the sources.
 * @template T
 * @param {() => Promise<T>} [withPrograms] what needs the programs alone: it begins while the pages are built
 */
export async function buildPrograms(withPrograms) {
  const digest = fingerprint(SOURCES);
  /** @type {Promise<T> | undefined} */
  let beside;
  await step("build", () =>
    unlessFresh("dist/.built-sources", digest, async () => {
      // Removes the output of modules that were moved or removed.
      rmSync("dist", { recursive: true, force: true });
      await run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"]);
      for (const file of PYTHON_SCRIPTS.filter((path) => !path.includes("/testing/"))) cpSync(file, `dist/${file}`);
      const pages = [
        ...["dashboard", "sim/page/browser", "conformance/report/page", "conformance/catalogue/page"],
        ...["sim/film/renderer", "sim/film/page"],
      ];
      beside = withPrograms?.();
      beside?.catch(() => undefined); // awaited below
      for (const page of pages)
        await run(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--config", `${page}/vite.config.ts`]);
    }),
  );
  return beside ?? withPrograms?.();
}

export const version = JSON.parse(readFileSync("package.json", "utf8")).version;
