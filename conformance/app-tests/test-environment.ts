import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { z } from "zod";
import { sha256 } from "../../common/files/sha256.ts";
import { PACKAGE_FOLDER } from "../../common/machine/package-folder.ts";
import { removeTree } from "../../common/machine/remove-tree.ts";
import { isTable } from "../../common/python/project/shape.ts";
import { systemClock } from "../../common/time/clock.ts";
import { digestOfSdk, sdkSourceIn } from "../../daemon/apps/install/environment/sdk-source.ts";
import { withVenvLock } from "../../daemon/apps/install/environment/venv-lock.ts";
import {
  type InstallerParts,
  type InstallerRun,
  installInto,
  installIntoFolder,
} from "../../daemon/apps/install/tools/installer.ts";
import { ensureDataDir } from "../../daemon/files/data-dir.ts";
import { readJson, writeJson } from "../../daemon/files/json-file.ts";
import { findUv, prepareAppsEnvironment, type RunStep } from "../../daemon/start/prepare.ts";
import { parseProjectFile } from "../../robot/project/project-file.ts";
import { retryWhileBusy } from "../runner/app/retry-while-busy.ts";
import type { Host } from "../runner/host.ts";
import { PYTEST, TEST_EXTRA } from "./pytest.ts";

/** Folders that are not copied: a build does not need them, and they may be large. */
const NOT_COPIED = new Set([".git", ".venv", "venv", "node_modules", "__pycache__", "build", "certification"]);
/** Written beside an environment once it is complete: the digest of what it was made from. */
const Stamp = z.object({ made: z.string() });

interface TestEnvironmentOptions {
  /** The app's folder, with a pyproject.toml. */
  app: string;
  /** Name of the app's distribution. */
  name: string;
  /** Folder of the environments of all apps. */
  cache: string;
  host: Host;
  step: RunStep;
}

/** Where an app's tests run. */
interface TestEnvironment {
  python: string;
  /** Folders of Python packages that come after the app's own files. */
  packages: readonly string[];
}

/**
 * Makes the Python environment in which an app's tests run: what the app needs, with its extra `test`, the SDK and pytest. Apps
 * that need the same share it; the app's own package is in a folder beside it. Both are reused until the app's pyproject.toml or
 * the SDK changes.
 * @throws WorkbenchError `python-missing`, `index-unreachable`, `install-failed`
 */
export async function testEnvironment(options: TestEnvironmentOptions): Promise<TestEnvironment> {
  const { app, name, cache, host, step } = options;
  const text = await readFile(join(app, "pyproject.toml"), "utf8");
  const shared = sharedRequirements(text, name);
  const own = join(cache, sha256(app).slice(0, 16));
  const folder = shared === null ? own : join(cache, `needs-${sha256(JSON.stringify(shared)).slice(0, 16)}`);
  const venv = join(folder, "apps_venv");
  const sdkFolder = sdkSourceIn(PACKAGE_FOLDER);
  const sdk = await digestOfSdk(sdkFolder);
  const { env, signal } = host;
  await once(folder, join(venv, "bin/python"), shared === null ? sha256(`${text}\0${sdk}`) : sdk, host, async () => {
    // What is missing is installed in any case.
    const onRenamed = (): void => {};
    await prepareAppsEnvironment({ dataDir: folder, sdkFolder, env, step, signal, onRenamed });
    await step(`What ${name} and its tests need`, () =>
      withCopy(app, (copy, scratch) => {
        const packages = shared ?? [`${copy}[${TEST_EXTRA}]`, PYTEST];
        return installWith(venv, scratch, host, (parts, run) =>
          installInto(parts, { ...run, packages, reinstall: name, isolated: true }),
        );
      }),
    );
  });
  if (shared === null) return { python: join(venv, "bin/python"), packages: [] };
  const target = join(own, "package");
  await once(own, target, sha256(`${text}\0${sdk}`), host, () =>
    step(`The package of ${name}`, async () => {
      await removeTree(target);
      await withCopy(app, (copy, scratch) =>
        installWith(venv, scratch, host, (parts, run) =>
          installIntoFolder(parts, { ...run, packages: [copy], target, withDependencies: false }),
        ),
      );
    }),
  );
  return { python: join(venv, "bin/python"), packages: [target] };
}

/**
 * What an app and its tests need, as its pyproject.toml lists it; null where only its build says what that is.
 * @param text of the pyproject.toml @param name of the app's distribution
 */
export function sharedRequirements(text: string, name: string): string[] | null {
  const parsed = parseProjectFile(text);
  const project = "value" in parsed && isTable(parsed.value.document.project) ? parsed.value.document.project : {};
  const { dependencies = [], "optional-dependencies": extras = {}, dynamic = [] } = project;
  const lists = [dependencies, (isTable(extras) ? extras[TEST_EXTRA] : undefined) ?? []];
  const listed = lists.flat();
  // An app may name itself with another extra; a requirement with an address may be a folder.
  const isPlain = (each: unknown): each is string =>
    typeof each === "string" && PLAIN_REQUIREMENT.test(each) && nameIn(each) !== nameIn(name);
  const isBuilt = !Array.isArray(dynamic) || dynamic.some((each) => /dependencies$/.test(String(each)));
  if ("error" in parsed || isBuilt || !lists.every(Array.isArray) || !listed.every(isPlain)) return null;
  return [...new Set([...listed.map((each) => each.trim()), PYTEST])].sort();
}

/** A package of the index by its name, with extras, versions and a marker. */
const PLAIN_REQUIREMENT = /^[a-z0-9][\w.-]*\s*(?:\[[^\]/]*\])?\s*(?:[<>=!~(;][^@/]*)?$/i;

/** The name in a requirement, as package indexes compare it. */
const nameIn = (requirement: string): string =>
  (/^[\w.-]+/.exec(requirement)?.[0] ?? "").toLowerCase().replace(/[-_.]+/g, "-");

/** Makes something in a folder unless it was made from the same; one process at a time. */
async function once(folder: string, result: string, made: string, { signal }: Host, make: () => Promise<unknown>) {
  const stamp = join(folder, "made.json");
  const isMade = async () => existsSync(result) && (await readJson(stamp, Stamp))?.made === made;
  if (await isMade()) return;
  ensureDataDir(folder, "set XDG_DATA_HOME to a folder that you can write to");
  const makeAndStamp = async () => {
    if (await isMade()) return;
    await make();
    await writeJson(stamp, { made } satisfies z.infer<typeof Stamp>);
  };
  await retryWhileBusy(() => withVenvLock(join(folder, "tests"), systemClock, makeAndStamp), systemClock, signal);
}

/** Works with a copy of the app's folder: a build writes into the folder that it builds. */
async function withCopy(app: string, work: (copy: string, scratch: string) => Promise<void>): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "robot-app-tests-"));
  try {
    const copy = join(scratch, "app");
    await cp(app, copy, { recursive: true, filter: (path) => path === app || !NOT_COPIED.has(basename(path)) });
    await work(copy, scratch);
  } finally {
    await removeTree(scratch);
  }
}

/** @param install gets what the installer needs for an environment */
async function installWith(
  venv: string,
  scratch: string,
  { env, signal }: Host,
  install: (parts: InstallerParts, run: InstallerRun) => Promise<void>,
): Promise<void> {
  const parts = { venv, uv: await findUv(env, undefined, signal), env };
  await install(parts, { clock: systemClock, signal, onLine: () => {}, scratch });
}
