import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { readSource } from "../apply/file.ts";
import { findLastEdit, type RecoveredEdit, readEdits, recoverEdits, undoEdit, writeEdit } from "./journal.ts";

const FILES = 60;
const MADE = { time: "2024-01-01T00:00:00.000Z", instruction: "" };

/** Edits all files of a folder again and again, until it is killed. */
const WRITER = `
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readSource } from "./edit/apply/file.ts";
import { writeEdit } from "./edit/session/journal.ts";
const [app, journal] = process.argv.slice(-2);
for (let round = 1; ; round += 1) {
  const edits = readdirSync(app).filter((name) => name.endsWith(".py")).map(async (name) => ({ source: await readSource(join(app, name)), result: round + "\\n" }));
  await writeEdit(journal, await Promise.all(edits), ${JSON.stringify(MADE)});
  console.log(round);
}
`;

test("a process that is killed while it writes leaves all files of an edit or none; others write beside it", async () => {
  const place = temporaryFolder("killed-");
  const [app, journal, other] = [join(place, "app"), join(place, "state"), join(place, "other.py")];
  await mkdir(app);
  for (let n = 0; n < FILES; n += 1) await writeFile(join(app, `${n}.py`), "0\n");
  await writeFile(other, "");
  const node = ["--import", "tsx", "--input-type=module", "-e", WRITER, app, journal];
  const child = spawn(process.execPath, node, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(createInterface(child.stdout), "line");
  // The two take the lock in turns.
  const edit = async (result: string) =>
    writeEdit(journal, [{ source: await readSource(other), result }], { ...MADE, instruction: "other" });
  for (const result of ["1\n", "2\n"]) await edit(result);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  const recovered: RecoveredEdit[] = [];
  await recoverEdits(journal, { notify: (each) => recovered.push(each) });
  expect(recovered.length).toBeLessThanOrEqual(1);
  const texts = () => readdirSync(app).map((name) => readFileSync(join(app, name), "utf8"));
  const [text = ""] = texts();
  expect(texts()).toEqual(Array.from({ length: FILES }, () => text));
  expect(readFileSync(other, "utf8")).toBe("2\n");
  expect(readEdits(journal).filter(({ files }) => files.length === FILES)).toHaveLength(Number(text));
  const last = await findLastEdit(journal, join(app, "0.py"));
  if (last !== undefined) await undoEdit(journal, last);
  expect(texts()).toEqual(Array.from({ length: FILES }, () => `${Number(text) - 1}\n`));
});
