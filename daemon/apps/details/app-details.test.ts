import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { AppDetailsReader } from "./app-details.ts";
import { readSettings } from "./app-settings.ts";

test("settings that are changed at the same time are all kept", async () => {
  const dataDir = temporaryFolder("details-");
  const file = join(dataDir, "my_app/main.py");
  mkdirSync(join(dataDir, "my_app"));
  const names = ["a", "b", "c", "d", "e"];
  const declared = Object.fromEntries(names.map((name) => [name, { default: 0 }]));
  writeFileSync(join(dataDir, "my_app/robot_settings.json"), JSON.stringify(declared));
  const find = async (name: string) => ({ info: { name }, file });
  const reader = new AppDetailsReader({ workDir: join(dataDir, "work"), find } as unknown as ConstructorParameters<
    typeof AppDetailsReader
  >[0]);
  const refused = reader.changeSettings("my_app", { unknown: 1 }).catch(({ code }) => code);
  await Promise.all(names.map((name) => reader.changeSettings("my_app", { [name]: 1 })));
  expect(await refused).toBe("bad-request");
  const settings = await readSettings(file, join(dataDir, "work/my_app"));
  expect(settings.map(({ value }) => value)).toEqual([1, 1, 1, 1, 1]);
});

test("an app without a README has none, although there is one in the daemon's working folder", async () => {
  expect(existsSync("README.md")).toBe(true);
  const dataDir = temporaryFolder("details-");
  const info = { name: "my_app", extra: {} };
  const parts = {
    ...{ workDir: dataDir, hub: {}, restarts: { has: () => false } },
    find: async () => ({ info, module: "my_app.main", file: null, metadataFolder: dataDir }),
  };
  const reader = new AppDetailsReader(parts as unknown as ConstructorParameters<typeof AppDetailsReader>[0]);
  expect((await reader.read("my_app")).readme).toBeNull();
});
