import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { readPossibleSource } from "../apply/file.ts";
import { findLastEdit, undoEdit, writeEdit } from "./journal.ts";

/** When and why the edits are made. */
const MADE = { time: "2024-01-01T00:00:00.000Z", instruction: "Split." };
/** Folder of the app, and of the journals. */
let app = "";
let journals = "";

beforeEach(async () => {
  const folder = temporaryFolder("journal-");
  app = join(folder, "app");
  journals = join(folder, "journals");
  await mkdir(app);
  await writeFile(join(app, "main.py"), "one\n");
});

/** Applies one edit of several files. @param texts the new texts by file name */
async function write(texts: Record<string, string>) {
  const edits = Object.entries(texts).map(async ([name, result]) => {
    return { source: await readPossibleSource(join(app, name)), result };
  });
  await writeEdit(journals, await Promise.all(edits), MADE);
}

/** Undoes the last edit of a file; false when there is none. */
async function undo(name: string) {
  const last = await findLastEdit(journals, join(app, name));
  if (last) await undoEdit(journals, last);
  return last !== undefined;
}

const text = (name: string) => readFile(join(app, name), "utf8");
const names = async () => (await readdir(app, { recursive: true })).sort();

test("undo of one file undoes an edit of several files in all of them", async () => {
  for (const from of ["main.py", "dances/slow/wave.py"]) {
    await write({ "main.py": "two\n", "dances/slow/wave.py": "wave\n" });
    expect(await names()).toEqual(["dances", "dances/slow", "dances/slow/wave.py", "main.py"]);
    expect(await undo(from)).toBe(true);
    expect([await text("main.py"), await names()]).toEqual(["one\n", ["main.py"]]);
  }
  expect(await undo("main.py")).toBe(false);
});

test("undo keeps the folder of a new file when it has other files or existed before the edit", async () => {
  await mkdir(join(app, "empty"));
  await write({ "empty/a.py": "a\n", "new/a.py": "a\n" });
  await writeFile(join(app, "new", "mine.txt"), "");
  await undo("new/a.py");
  expect(await names()).toEqual(["empty", "main.py", "new", "new/mine.txt"]);
});

test("when one file cannot be written, the files before it are restored, and the journal has no entry of the edit", async () => {
  await write({ "main.py": "two\n" });
  const sources = ["main.py", "new/a.py", "late/b.py"].map((name) => readPossibleSource(join(app, name)));
  const edits = (await Promise.all(sources)).map((source) => ({ source, result: "three\n" }));
  await writeFile(join(app, "late"), "a file in the place of the folder");
  await expect(writeEdit(journals, edits, MADE)).rejects.toMatchObject({
    code: "edit-refused",
    message: expect.stringContaining("b.py cannot be written (EEXIST)."),
  });
  expect([await text("main.py"), await names()]).toEqual(["two\n", ["late", "main.py"]]);
  await undo("main.py");
  expect(await text("main.py")).toBe("one\n");
});

test("an edit writes no file when one of them changed after it was read", async () => {
  const sources = await Promise.all(["a.py", "main.py"].map((name) => readPossibleSource(join(app, name))));
  await writeFile(join(app, "main.py"), "mine\n");
  const edit = writeEdit(
    journals,
    sources.map((source) => ({ source, result: "two\n" })),
    MADE,
  );
  await expect(edit).rejects.toThrow("changed");
  expect([await text("main.py"), await names()]).toEqual(["mine\n", ["main.py"]]);
});

test("undo is refused and changes nothing when one of the files changed or was deleted after the edit", async () => {
  await write({ "main.py": "two\n", "wave.py": "wave\n" });
  await writeFile(join(app, "wave.py"), "mine\n");
  await expect(undo("main.py")).rejects.toThrow(/wave\.py has changed since/);
  await rm(join(app, "wave.py"));
  await writeFile(join(app, "main.py"), "mine\n");
  await expect(undo("wave.py")).rejects.toThrow(/has changed since/);
  await expect(undo("main.py")).rejects.toThrow(/main\.py has changed since/);
  expect(await text("main.py")).toBe("mine\n");
});
