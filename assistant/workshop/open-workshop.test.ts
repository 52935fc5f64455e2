import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { hashText } from "../../edit/apply/apply.ts";
import { openWorkshop } from "./open-workshop.ts";

const MAIN = "hello/main.py";
const PROJECT = '[project]\nname = "hello"\n[project.entry-points.robot_apps]\nhello = "hello.main:main"\n';

/** The workshop of an app in a folder of its own. */
async function workshopIn(place = temporaryFolder("workshop-")) {
  const folder = join(place, "app");
  await mkdir(join(folder, "hello"), { recursive: true });
  await writeFile(join(folder, "pyproject.toml"), PROJECT);
  await writeFile(join(folder, "hello/__init__.py"), "");
  await writeFile(join(folder, MAIN), "x = 0\n");
  const workshop = await openWorkshop({
    folder,
    shadowFolder: join(place, "shadow"),
    env: { XDG_STATE_HOME: join(place, "state") },
    now: () => new Date(),
  });
  const keep = (text: string, hash: string) =>
    workshop.keep({ files: [{ name: MAIN, text, hash }], instruction: "", confirmed: [] });
  const shadow = (text: string) => workshop.shadow([{ name: MAIN, text }], new AbortController().signal);
  return { workshop, folder, keep, shadow };
}

test("of keeps at the same time, from two pages, one is written and the others are refused", async () => {
  const { workshop, folder, keep } = await workshopIn();
  const writes: string[] = [];
  workshop.writes.on((files) => void writes.push(...files.map(({ hash }) => hash)));
  const texts = ["x = 1\n", "x = 2\n", "x = 3\n"];
  const results = await Promise.allSettled(texts.map((text) => keep(text, hashText("x = 0\n"))));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(writes).toEqual([hashText("x = 1\n")]);
  expect(await readFile(join(folder, MAIN), "utf8")).toBe("x = 1\n");
});

test("what Python compiled of a file in the copy is removed when the file changes", async () => {
  const { shadow } = await workshopIn();
  const { importFolder } = await shadow("x = 1\n");
  const cache = join(importFolder, "hello/__pycache__");
  await mkdir(cache);
  await writeFile(join(cache, "main.cpython-312.pyc"), "");
  await writeFile(join(cache, "__init__.cpython-312.pyc"), "");
  await shadow("x = 2\n");
  expect(await readdir(cache)).toEqual(["__init__.cpython-312.pyc"]);
});

test("a folder with more than 2 GB is not copied", async () => {
  const { shadow, folder } = await workshopIn();
  await writeFile(join(folder, "video.mp4"), "");
  await truncate(join(folder, "video.mp4"), 2_000_000_001);
  await expect(shadow("x = 1\n")).rejects.toMatchObject({
    code: "edit-refused",
    message: expect.stringContaining("4 files with 2000 MB"),
  });
});
