import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { copyTree } from "../../common/machine/copy-tree.ts";
import { sharedTemporaryFolder } from "../../common/testing/temporary-folder.ts";
import { run } from "../setup/steps.mjs";
import { newPlace } from "./install.mjs";
import { MAX_BYTES, pack } from "./pack.mjs";
import { fromAppToHub, fromNothingToMotion, removeAll } from "./session.mjs";

/** The Python environment that `npm test` prepares: the SDK and what it requires. */
const CLEAN_VENV = resolve("artifacts/certification/apps_venv");

let packed: Awaited<ReturnType<typeof pack>>;
const folder = sharedTemporaryFolder("robot-pack-");
beforeAll(async () => {
  packed = await pack(folder);
});

test("the package is small and has all that runs, and nothing else", () => {
  expect(packed.size).toBeLessThan(MAX_BYTES);
  const has = (pattern: RegExp) => packed.files.filter((file) => pattern.test(file));
  expect(has(/^dist\/sdk\/robot_sdk-[\d.]+(-py3-none-any\.whl|\.tar\.gz)$/)).toHaveLength(2);
  expect(has(/^bin\/robot-(daemon|sim|app-assistant)\.mjs$/)).toHaveLength(3);
  expect(has(/^dist\/(dashboard|sim-page|report-page)\/index\.html$/)).toHaveLength(3);
  expect(has(/^assistant\/create\/templates\/\w+\/_gitignore$/)).toHaveLength(1);
  expect(has(/^fixtures\/control-apps\/hello_reachy_mini\/pyproject\.toml$/)).toHaveLength(1);
  expect(
    has(/^(fixtures\/apps\/hello_robot\/pyproject\.toml|deploy\/robot-daemon\.service|docs\/errors\.md)$/),
  ).toHaveLength(3);
  expect(
    has(/\.test\.|\/testing\/|\.map$|__pycache__|\.tsx?$(?<!\.d\.ts)|^(sdk|features|lab|scripts|node_modules)\//),
  ).toEqual([]);
});

test("an installed package does everything by itself, and leaves nothing", async () => {
  const place = newPlace();
  onTestFinished(place.remove);
  // Environments of a checkout, in which only the SDK has to be replaced by the package's wheel.
  const data = join(place.home, ".local/share/robot-daemon");
  for (const folder of [data, join(data, "certification")]) {
    mkdirSync(folder, { recursive: true });
    copyTree(CLEAN_VENV, join(folder, "apps_venv"));
  }
  const step = <T>(_name: string, work: () => Promise<T>): Promise<T> => work();
  await fromNothingToMotion(place, packed.file, step);
  await fromAppToHub(place, step);
  await removeAll(place, step);
});

test("a dry run of publishing accepts the package", async () => {
  const output = await run("npm", ["publish", packed.file, "--dry-run", "--loglevel=notice"]);
  expect(output).toMatch(/\+ robot-daemon@\d/);
});
