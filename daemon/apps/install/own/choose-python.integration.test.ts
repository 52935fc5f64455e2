import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestInstaller, TEST_UV, type TestInstaller } from "../../testing/test-installer.ts";
import { createTestVenv, type TestVenv } from "../../testing/test-venv.ts";
import { pythonFor } from "./choose-python.ts";

let home: TestVenv;
let parts: TestInstaller["parts"];
const lines: string[] = [];
beforeEach(async () => {
  home = await createTestVenv();
  await home.addTools();
  ({ parts } = createTestInstaller(home, null));
  parts.env = { PATH: path.join(home.root, "bin"), HOME: home.root };
  await mkdir(path.join(home.root, "bin"));
  lines.length = 0;
});
afterEach(() => home.remove());

/** A program that says that it is some version of Python. */
async function addPython(name: string, version: string): Promise<string> {
  const file = path.join(home.root, "bin", name);
  await writeFile(file, `#!/bin/sh\necho ${version} ${file}\n`);
  await chmod(file, 0o755);
  return file;
}

const choose = (requiresPython: string | null) =>
  pythonFor({ name: "wave-back", requiresPython }, parts, {
    clock: parts.clock,
    scratch: home.root,
    onLine: (line) => lines.push(line),
  });

test("the environment's own Python will do unless the app says otherwise", async () => {
  expect(await choose(null)).toBeNull();
  expect(await choose(">=3.10")).toBeNull();
  expect(await choose(">=3.8,!=3.9.*,<4")).toBeNull();
  await expect(choose("three")).rejects.toMatchObject({
    code: "app-invalid",
    message: expect.stringContaining('"three"'),
  });
});

test("the oldest Python of the machine that fits is taken; programs that do not start do not count", async () => {
  await addPython("python3.97", "3.97.1");
  const wanted = await addPython("python3.98", "3.98.0");
  await addPython("python3.99", "3.99.0");
  await addPython("python3.96", "none");
  expect(await choose(">=3.98")).toBe(wanted);
  expect(lines[0]).toMatch(/^wave-back needs Python >=3\.98; the environment of all apps has 3\.\d+\.\d+$/);
});

test("without a Python that fits, the error names the version and the next step", async () => {
  await expect(choose(">=3.98")).rejects.toMatchObject({
    code: "python-missing",
    message: expect.stringMatching(/^wave-back needs Python >=3\.98, and .* has 3\.\d+\.\d+\. Install uv, .*again\.$/),
  });
  parts.uv = TEST_UV;
  parts.env = { ...parts.env, UV_OFFLINE: "1", UV_PYTHON_INSTALL_DIR: path.join(home.root, "pythons") };
  await expect(choose(">=3.98")).rejects.toMatchObject({
    code: "python-missing",
    message: expect.stringContaining("uv could not fetch one. Put that Python on the PATH"),
  });
});

test("a program that does not answer does not keep another one from being taken, and the error names it", async () => {
  const silent = await addPython("python3.97", "");
  await writeFile(silent, "#!/bin/sh\nkill -9 $$\n");
  const wanted = await addPython("python3.98", "3.98.0");
  expect(await choose(">=3.97")).toBe(wanted);
  await expect(choose(">=3.99")).rejects.toMatchObject({
    code: "python-missing",
    message: expect.stringContaining(
      `${silent} did not answer: if it fits, try again when this computer is less busy. `,
    ),
  });
});
