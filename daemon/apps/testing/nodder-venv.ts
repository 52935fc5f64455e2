import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { addDistribution } from "./distribution.ts";
import { createTestVenv, type TestVenv } from "./test-venv.ts";

/** An environment with the SDK, the library `arrays`, and the app `nodder`, which needs it and has a command. */
export async function createNodderVenv(): Promise<TestVenv> {
  const home = await createTestVenv();
  await addDistribution(home.sitePackages, { name: "robot-sdk", files: { "robot_sdk/__init__.py": "" } });
  await addDistribution(home.sitePackages, { name: "arrays", files: { "arrays/__init__.py": "real\n" } });
  await addDistribution(home.sitePackages, {
    name: "nodder",
    entryPoint: "nodder = nodder.main:App",
    requires: "arrays",
    files: { "nodder/__init__.py": "", "nodder/main.py": "real\n", "../../../bin/nod": "#!/bin/sh\n" },
  });
  return home;
}

/** All files of an environment with their content. @param ignored matches names of files that are left out */
export async function contentsOf({ venv }: TestVenv, ignored = /^$/): Promise<Record<string, string>> {
  const found = await readdir(venv, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile() && !ignored.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")])));
}
