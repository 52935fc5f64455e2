import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { readSource, type SourceFile } from "../apply/file.ts";
import { findLastEdit, readJournal, undoEdit, writeEdit as writeEdits } from "./journal.ts";

const made = (instruction: string) => ({ time: "2024-01-01T00:00:00.000Z", instruction });
let folder = "";
let file = "";

beforeEach(async () => {
  const place = temporaryFolder("journal-");
  folder = join(place, "state");
  file = join(place, "main.py");
  await writeFile(file, "one\n");
});

const writeEdit = (folder: string, source: SourceFile, result: string, why: ReturnType<typeof made>) =>
  writeEdits(folder, [{ source, result }], why);
const undo = async () => {
  const last = await findLastEdit(folder, file);
  if (last) await undoEdit(folder, last);
};
const text = () => readFile(file, "utf8");
const source = (): Promise<SourceFile> => readSource(file);
const instructions = async () => (await readJournal(folder, await source())).map(({ instruction }) => instruction);

test("edits are undone one by one, the last first", async () => {
  await writeEdit(folder, await source(), "two\n", made("first"));
  await writeEdit(folder, await source(), "three\n", made("second"));
  expect(await instructions()).toEqual(["first", "second"]);
  for (const expected of ["two\n", "one\n"]) {
    await undo();
    expect(await text()).toBe(expected);
  }
  expect(await instructions()).toEqual([]);
});

test("a file is not written when its journal cannot be", async () => {
  await writeFile(folder, "a file in the place of the folder");
  await expect(writeEdit(folder, await source(), "two\n", made("first"))).rejects.toMatchObject({
    code: "edit-refused",
    message: expect.stringContaining("journal of edits"),
  });
  expect(await text()).toBe("one\n");
});

test("an edit that was interrupted between journal and file is not in the journal", async () => {
  await writeEdit(folder, await source(), "two\n", made("first"));
  const before = await source();
  await writeFile(file, "changed meanwhile\n");
  await expect(writeEdit(folder, before, "three\n", made("second"))).rejects.toThrow("changed");
  await writeFile(file, "two\n");
  expect(await instructions()).toEqual(["first"]);
  await undo();
  expect(await text()).toBe("one\n");
});

test("an undo that was interrupted between file and journal is complete", async () => {
  await writeEdit(folder, await source(), "two\n", made("first"));
  await writeEdit(folder, await source(), "three\n", made("second"));
  await writeFile(file, "two\n"); // what the undo writes first
  expect(await instructions()).toEqual(["first"]);
});

test("a journal that cannot be read counts as empty", async () => {
  await writeEdit(folder, await source(), "two\n", made("first"));
  await rm(folder, { recursive: true });
  await mkdir(folder);
  expect(await instructions()).toEqual([]);
});
