import { mkdir, readdir, readFile, realpath, rename, rm, symlink, truncate, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { hashText } from "../../edit/apply/apply.ts";
import { openWorkshop } from "./open-workshop.ts";

const MAIN = "hello/main.py";
const PROJECT = '[project]\nname = "hello"\n[project.entry-points.robot_apps]\nhello = "hello.main:main"\n';

/** The workshop of an app in a folder of its own. */
async function workshopIn(place = temporaryFolder("workshop-"), copiesFolder = join(place, "copies")) {
  const folder = join(place, "app");
  await mkdir(join(folder, "hello"), { recursive: true });
  await writeFile(join(folder, "pyproject.toml"), PROJECT);
  await writeFile(join(folder, "hello/__init__.py"), "");
  await writeFile(join(folder, MAIN), "x = 0\n");
  const workshop = await openWorkshop({
    folder,
    copiesFolder,
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

test("who reads the files when a write is reported gets the new ones", async () => {
  const { workshop, keep } = await workshopIn();
  let reading: ReturnType<typeof workshop.contents> | undefined;
  workshop.writes.on(() => {
    reading = workshop.contents(new AbortController().signal);
  });
  await keep("x = 1\n", hashText("x = 0\n"));
  expect((await reading)?.files).toContainEqual(expect.objectContaining({ name: MAIN, text: "x = 1\n" }));
});

test("a file that is named twice is not written; one that has its text already makes no edit", async () => {
  const { workshop, folder, keep } = await workshopIn();
  const file = { name: MAIN, hash: hashText("x = 0\n") };
  const files = ["x = 1\n", "x = 2\n"].map((text) => ({ ...file, text }));
  await expect(workshop.keep({ files, instruction: "", confirmed: [] })).rejects.toMatchObject({
    message: expect.stringContaining("twice"),
  });
  expect(await keep("x = 0\n", file.hash)).toBe(null);
  expect(await readFile(join(folder, MAIN), "utf8")).toBe("x = 0\n");
});

test("an edit whose file has changed since is not offered for undo, and not undone", async () => {
  const { workshop, folder, keep } = await workshopIn();
  const time = (await keep("x = 1\n", hashText("x = 0\n")))?.edit;
  const { signal } = new AbortController();
  expect((await workshop.contents(signal)).undoable).toMatchObject({ time });
  await writeFile(join(folder, MAIN), "by another editor\n");
  expect((await workshop.contents(signal)).undoable).toBe(null);
  await expect(workshop.undo(time ?? "")).rejects.toMatchObject({ code: "edit-refused" });
  expect(await readFile(join(folder, MAIN), "utf8")).toBe("by another editor\n");
});

test.each(["keep", "undo"])("%s refuses a file in whose place there is a folder or a link", async (what) => {
  const { workshop, folder, keep } = await workshopIn();
  const time = (await keep("x = 1\n", hashText("x = 0\n")))?.edit;
  const act = () => (what === "keep" ? keep("x = 2\n", hashText("x = 1\n")) : workshop.undo(time ?? ""));
  const main = join(folder, MAIN);
  await rename(main, join(folder, "../moved.py"));
  await symlink(join(folder, "../moved.py"), main);
  await expect(act()).rejects.toMatchObject({ code: "edit-refused" });
  await rm(main);
  await mkdir(main);
  await expect(act()).rejects.toMatchObject({ code: "edit-refused" });
  expect(await readFile(join(folder, "../moved.py"), "utf8")).toBe("x = 1\n");
});

test("a link inside the app leads to the copy in the copy, one that leads out to where it did", async () => {
  const { folder, shadow } = await workshopIn();
  await symlink("main.py", join(folder, "hello/same.py"));
  await mkdir(join(folder, "../data"));
  await symlink("../data", join(folder, "data"));
  const { importFolder } = await shadow("x = 1\n");
  expect(await realpath(join(importFolder, "hello/same.py"))).toBe(join(importFolder, MAIN));
  expect(await realpath(join(importFolder, "data"))).toBe(join(folder, "../data"));
});

test("a data folder inside the app's folder does not make copies of the copy", async () => {
  const place = temporaryFolder("workshop-");
  const { shadow } = await workshopIn(place, join(place, "app/data/workshop"));
  await shadow("x = 1\n");
  const { importFolder } = await shadow("x = 2\n");
  expect((await readdir(importFolder)).sort()).toEqual(["hello", "pyproject.toml"]);
});

test("a link takes the place of a folder in the copy, also in that of an earlier daemon", async () => {
  const place = temporaryFolder("workshop-");
  const { folder, shadow } = await workshopIn(place);
  await mkdir(join(folder, "assets/deep"), { recursive: true });
  await writeFile(join(folder, "assets/deep/a.txt"), "a");
  await shadow("x = 1\n");
  await rename(join(folder, "assets"), join(place, "assets"));
  await symlink(join(place, "assets"), join(folder, "assets"));
  const { importFolder } = await shadow("x = 2\n");
  expect(await realpath(join(importFolder, "assets"))).toBe(join(place, "assets"));
  await unlink(join(folder, "assets"));
  await writeFile(join(folder, "assets"), "now a file");
  const later = await workshopIn(place);
  await later.shadow("x = 3\n");
  expect(await readFile(join(importFolder, "assets"), "utf8")).toBe("now a file");
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

test("a keep whose answer was lost can be sent again", async () => {
  const { keep } = await workshopIn();
  await keep("x = 1\n", hashText("x = 0\n"));
  expect(await keep("x = 1\n", hashText("x = 0\n"))).toBe(null);
});

test.each(["../x.py", "/etc/x.py", "conftest.py", ".hidden", "sub/", MAIN.toUpperCase()])(
  "the check says that %s cannot be made",
  async (name) => {
    const { workshop } = await workshopIn();
    const findings = await workshop.check([{ name, text: "" }], new AbortController().signal);
    expect(findings).toContainEqual(expect.objectContaining({ id: "name", file: name }));
  },
);

test("the revision is that of the copy to certify until any file of the author changes, also one that is no text", async () => {
  const { workshop, folder, keep } = await workshopIn();
  const { signal } = new AbortController();
  await writeFile(join(folder, "nod.wav"), Buffer.from([0, 255]));
  const revision = async () => (await workshop.contents(signal)).revision;
  const first = await revision();
  await writeFile(join(folder, ".hidden"), "");
  expect([await revision(), (await workshop.copyToCertify([], signal)).revision]).toEqual([first, first]);
  await keep("x = 1\n", hashText("x = 0\n"));
  const second = await revision();
  await writeFile(join(folder, "nod.wav"), Buffer.from([0, 255, 0]));
  const third = await revision();
  await rm(join(folder, "nod.wav"));
  const revisions = [first, second, third, await revision()];
  expect(new Set(revisions).size).toBe(revisions.length);
});

test("what does not parse is found in the files as they are kept and as they are typed, and only broken Python is not tried", async () => {
  const { workshop, folder } = await workshopIn();
  const { signal } = new AbortController();
  await writeFile(join(folder, "hello/moves.json"), '{"a": 1,\n}\n');
  const broken = async (...files: { name: string; text: string }[]) =>
    (await workshop.check(files, signal))
      .filter(({ id }) => id === "syntax")
      .map(({ file, line, level }) => `${file}:${line} ${level}`);
  const page = { name: "hello/static/index.html", text: "<main>\n<div>\n</main>\n" };
  expect(await broken(page)).toEqual(["hello/moves.json:2 MUST", "hello/static/index.html:2 SHOULD"]);
  const mended = { name: "hello/moves.json", text: "{}\n" };
  expect(await broken(mended, { name: "setup.toml", text: "a = \n" }, { name: "a.yml", text: "a: [\n" })).toEqual([
    "setup.toml:1 MUST",
    "a.yml:2 MUST",
  ]);
  expect(await broken({ ...page, text: "<main></main>" })).toEqual(["hello/moves.json:2 MUST"]);
  await workshop.shadow([{ name: "hello/moves.json", text: "{" }], signal);
  await expect(workshop.shadow([{ name: MAIN, text: "x = (\n" }], signal)).rejects.toThrow(/main\.py:\d: /);
});

test("a pyproject.toml that does not parse is one finding", async () => {
  const { workshop } = await workshopIn();
  const text = `${PROJECT}x = \n`;
  const found = await workshop.check([{ name: "pyproject.toml", text }], new AbortController().signal);
  expect(found.filter(({ line }) => line === 5)).toHaveLength(1);
});
