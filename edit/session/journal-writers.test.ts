import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import type { WorkbenchError } from "../../robot/wire/errors.ts";
import { readSource } from "../apply/file.ts";
import { findLastEdit, readEdits, undoEdit, writeEdit } from "./journal.ts";

const WRITERS = 8;
const EDITS = 3;

test("writers at the same time lose no line, and their edits are undone one by one", async () => {
  const place = temporaryFolder("writers-");
  const [file, journal] = [join(place, "main.py"), join(place, "state")];
  await writeFile(file, "");
  const append = async (line: string): Promise<void> => {
    for (;;) {
      const source = await readSource(file);
      const edits = [{ source, result: `${source.text}${line}\n` }];
      const error = await writeEdit(journal, edits, { time: line, instruction: "" }).catch((error: unknown) => error);
      if (error === undefined) return;
      expect((error as WorkbenchError).message).toContain("changed");
    }
  };
  const numbers = Array.from({ length: WRITERS }, (_, index) => index);
  const lines = (writer: number) => Array.from({ length: EDITS }, (_, edit) => `${writer} ${edit}`);
  await Promise.all(
    numbers.map(async (writer) => {
      for (const line of lines(writer)) await append(line);
    }),
  );
  const written = (await readFile(file, "utf8")).trim().split("\n");
  expect([...written].sort()).toEqual(numbers.flatMap(lines).sort());
  expect(readEdits(journal).map(({ time }) => time)).toEqual(written);
  for (let last = await findLastEdit(journal, file); last !== undefined; last = await findLastEdit(journal, file))
    await undoEdit(journal, last);
  expect(await readFile(file, "utf8")).toBe("");
});

test("an edit is undone once, also when two ask for it at the same time", async () => {
  const place = temporaryFolder("writers-");
  const [app, journal] = [join(place, "app"), join(place, "state")];
  await mkdir(app);
  const file = join(app, "main.py");
  await writeFile(file, "one\n");
  for (const result of ["two\n", "three\n"])
    await writeEdit(journal, [{ source: await readSource(file), result }], { time: result, instruction: "" });
  const last = await findLastEdit(journal, file);
  if (last === undefined) throw new Error("the edit is in the journal");
  const outcomes = await Promise.allSettled([undoEdit(journal, last), undoEdit(journal, last)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await readFile(file, "utf8")).toBe("two\n");
});
