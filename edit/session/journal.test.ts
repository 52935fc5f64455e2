import { chmod, lstat, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { readSource, type SourceFile } from "../apply/file.ts";
import { findLastEdit, readEdits, readJournal, undoEdit, writeEdit as writeEdits } from "./journal.ts";

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
const instructions = () => readEdits(folder).map(({ instruction }) => instruction);

test("edits are undone one by one, the last first", async () => {
  await writeEdit(folder, await source(), "two\n", made("first"));
  await writeEdit(folder, await source(), "three\n", made("second"));
  expect(instructions()).toEqual(["first", "second"]);
  expect(await readJournal(folder, { path: file })).toEqual(["one\n", "two\n"]);
  for (const expected of ["two\n", "one\n"]) {
    await undo();
    expect(await text()).toBe(expected);
  }
  expect(instructions()).toEqual([]);
});

test("a file is not written when its journal cannot be", async () => {
  await writeFile(folder, "a file in the place of the folder");
  await expect(writeEdit(folder, await source(), "two\n", made("first"))).rejects.toMatchObject({
    code: "edit-refused",
    message: expect.stringContaining("journal of edits"),
  });
  expect(await text()).toBe("one\n");
});

test("a file that is edited through a link is undone by its own name, too", async () => {
  const link = `${file}.link`;
  await symlink(file, link);
  await writeEdit(folder, await readSource(link), "two\n", made("first"));
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await text()).toBe("two\n");
  await undo();
  expect(await text()).toBe("one\n");
});

test("a file keeps its permissions", async () => {
  await chmod(file, 0o751);
  await writeEdit(folder, await source(), "two\n", made("first"));
  await undo();
  expect((await lstat(file)).mode & 0o777).toBe(0o751);
});

test("the oldest edits are forgotten, and the newest stays however large it is", async () => {
  for (let n = 0; n < 103; n += 1) await writeEdit(folder, await source(), `${n}\n`, made(`${n}`));
  expect([instructions().length, instructions()[0]]).toEqual([100, "3"]);
  await writeEdit(folder, await source(), "x".repeat(51_000_000), made("large"));
  await writeEdit(folder, await source(), "small\n", made("small"));
  expect(instructions()).toEqual(["small"]);
});

test("a journal that cannot be read counts as empty", async () => {
  await writeEdit(folder, await source(), "two\n", made("first"));
  await rm(folder, { recursive: true });
  await mkdir(folder);
  expect(instructions()).toEqual([]);
});
