import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { projectEntriesIn } from "../../daemon/apps/install/fetch/digest.ts";

/** The requirement of the package that runs an app's tests. */
export const PYTEST = "pytest>=7";

/** The extra in an app's pyproject.toml that names what only its tests need. */
export const TEST_EXTRA = "test";

/** What pytest's exit codes mean. */
export const PYTEST_EXIT = { passed: 0, failed: 1, interrupted: 2, usage: 4, noTests: 5 } as const;

/** Files that pytest takes for tests, unless an app's configuration has other names. */
const TEST_FILE = /^(test_.*|.*_test)\.py$/;
const CONFIGURATIONS = ["pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg"];

/** Whether pytest may find tests among an app's files. */
export async function hasTests(folder: string): Promise<boolean> {
  const entries = await projectEntriesIn(folder);
  if (entries.some(({ name }) => TEST_FILE.test(basename(name)))) return true;
  const texts = CONFIGURATIONS.map((name) => readFile(join(folder, name), "utf8").catch(() => ""));
  return (await Promise.all(texts)).some((text) => /\bpython_files\b/.test(text));
}
