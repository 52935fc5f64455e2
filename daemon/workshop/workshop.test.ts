import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, realpath, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { waitFor } from "../../common/time/wait-for.ts";
import { hashText } from "../../edit/apply/apply.ts";
import type { AppStatus } from "../../robot/wire/apps/app-status.ts";
import type { WorkshopContents, WorkshopFinding, WriteResult } from "../../robot/wire/workshop/workshop.ts";
import { type EditedApp, MAIN, mainThatSays, startEditedApp } from "./testing/edited-app.ts";

let edited: EditedApp;
beforeAll(async () => {
  edited = await startEditedApp();
});
afterAll(() => edited.close());

const fileOf = (name = MAIN): string => readFileSync(join(edited.folder, name), "utf8");
const hashOf = ({ files }: WorkshopContents, name = MAIN): string =>
  files.find((file) => file.name === name)?.hash ?? "";
const contents = () => edited.json<WorkshopContents>("files");

async function saysInLog(word: string): Promise<void> {
  await waitFor(60_000, `${word} in the log`, async () => {
    const { lines } = await edited.daemon.json<{ lines: { text: string }[] }>("/api/apps/logs/obedient?lines=5");
    return lines.some(({ text }) => text === word);
  });
}

beforeEach(async () => {
  await edited.daemon.request("/api/apps/stop-current-app", { method: "POST" });
  await writeFile(join(edited.folder, MAIN), mainThatSays("kept"));
});

test("the app's texts are listed with the file to open first", async () => {
  expect(await contents()).toMatchObject({ app: "obedient", main: MAIN, physical: false, undoable: null });
  expect((await contents()).files.map(({ name }) => name)).toEqual([
    "obedient/__init__.py",
    "obedient/main.py",
    "pyproject.toml",
  ]);
});

test("a try runs changes from a copy, and writes nothing to the app's folder", async () => {
  const before = await stateOf(edited.folder);
  const status = await edited.json<AppStatus>("try", { files: [{ name: MAIN, text: mainThatSays("first try") }] });
  expect(status).toMatchObject({ info: { name: "obedient" }, state: "starting", trial: true });
  await saysInLog("first try");
  await edited.json("try", { files: [{ name: MAIN, text: mainThatSays("second tr") }] });
  await saysInLog("second tr"); // the same length, within the same second
  expect(await stateOf(edited.folder)).toEqual(before);
});

test("a try takes new files along, and leaves them out again", async () => {
  const files = [
    { name: "obedient/words.py", text: 'WORD = "from a new file"\n' },
    { name: MAIN, text: `from obedient.words import WORD\n${mainThatSays("x").replace('"x"', "WORD")}` },
  ];
  await edited.json("try", { files });
  await saysInLog("from a new file");
  await edited.json("try", { files: files.slice(1) });
  await waitFor(60_000, "the failure", async () => {
    const status = await edited.daemon.json<AppStatus>("/api/apps/current-app-status");
    return status.state === "error" && status.error?.includes("obedient.words") === true;
  });
  expect(existsSync(join(edited.folder, "obedient/words.py"))).toBe(false);
});

test("keep writes the changes, and undo takes code and app back to before", async () => {
  await edited.daemon.request("/api/apps/start-app/obedient", { method: "POST" });
  await edited.json("try", { files: [{ name: MAIN, text: mainThatSays("new") }] });
  await saysInLog("new");
  const file = { name: MAIN, text: mainThatSays("new"), hash: hashOf(await contents()) };
  const kept = await edited.json<WriteResult>("keep", { files: [file], instruction: "Say new." });
  expect(fileOf()).toBe(mainThatSays("new"));
  expect(kept).toMatchObject({ written: [MAIN], run: { state: "unchanged", problem: null } });
  expect(kept.contents?.undoable).toMatchObject({ time: kept.edit, instruction: "Say new.", files: [MAIN] });
  const undone = await edited.json<WriteResult>("undo", { edit: kept.edit });
  expect(undone).toMatchObject({ written: [MAIN], run: { state: "started", problem: null } });
  expect(fileOf()).toBe(mainThatSays("kept"));
  expect(undone.contents?.undoable).toBe(null);
  const status = await edited.daemon.json<AppStatus>("/api/apps/current-app-status");
  expect(["starting", "running"]).toContain(status.state);
  expect(status.trial).toBe(undefined);
  await waitFor(60_000, "the kept code to run", async () => {
    const { lines } = await edited.daemon.json<{ lines: { text: string }[] }>("/api/apps/logs/obedient?lines=9");
    return lines.findLast(({ text }) => ["kept", "new"].includes(text))?.text === "kept";
  });
});

test("what an interrupted edit left is settled before the files are read, with a notice", async () => {
  const edits = join(edited.folder, "../state/robot-app-assistant/edits");
  const path = await realpath(join(edited.folder, MAIN));
  const after = hashText("half of an edit\n");
  const files = [
    { path, before: mainThatSays("kept"), after },
    { path: `${path}.other`, before: null, after },
  ];
  await mkdir(edits, { recursive: true });
  await writeFile(join(edits, "0000000900-abcdef12.begun"), JSON.stringify({ time: "then", instruction: "", files }));
  await writeFile(path, "half of an edit\n");
  const { interrupted } = await contents();
  expect(interrupted).toEqual([
    expect.stringMatching(/^The edit of then was interrupted .* taken back: obedient\/main\.py/),
  ]);
  expect(fileOf()).toBe(mainThatSays("kept"));
});

test("undo without an edit ends a try and starts what ran before", async () => {
  await edited.daemon.request("/api/apps/start-app/obedient", { method: "POST" });
  await edited.json("try", { files: [{ name: MAIN, text: mainThatSays("tried") }] });
  await edited.json("undo", { edit: null });
  const status = await edited.daemon.json<AppStatus>("/api/apps/current-app-status");
  expect(["starting", "running"]).toContain(status.state);
  expect(status.trial).toBe(undefined);
});

test("a file that has changed meanwhile is not written over, and none of the others is written", async () => {
  const { files } = await contents();
  await writeFile(join(edited.folder, MAIN), mainThatSays("by another editor"));
  const changed = files.map((file) => ({ ...file, text: `${file.text}# changed\n` }));
  const { status, text } = await edited.send("keep", { files: changed, confirmed: ["pyproject.toml"] });
  expect([status, JSON.parse(text).code]).toEqual([409, "edit-refused"]);
  expect(fileOf()).toBe(mainThatSays("by another editor"));
  expect(fileOf("pyproject.toml")).not.toContain("# changed");
});

test("pyproject.toml is written only when it is confirmed", async () => {
  const { files } = await contents();
  const project = files.find(({ name }) => name === "pyproject.toml");
  const body = { files: [{ ...project, text: `${project?.text}# more\n` }] };
  const { status, text } = await edited.send("keep", body);
  expect([status, JSON.parse(text).code]).toEqual([409, "confirmation-required"]);
  await edited.json("keep", { ...body, confirmed: ["pyproject.toml"] });
  expect(fileOf("pyproject.toml")).toContain("# more");
});

test("the check sees changes that are not kept", async () => {
  const find = async (text: string) =>
    (await edited.json<{ findings: WorkshopFinding[] }>("check", { files: [{ name: MAIN, text }] })).findings;
  expect(await find("def run(:\n")).toContainEqual(expect.objectContaining({ file: MAIN, line: 1 }));
  expect(await find(mainThatSays("kept"))).not.toContainEqual(expect.objectContaining({ id: "syntax" }));
  const helper = { name: "obedient/helper.py", text: "x = (\n" };
  const { findings } = await edited.json<{ findings: WorkshopFinding[] }>("check", { files: [helper] });
  expect(findings).toContainEqual(expect.objectContaining({ id: "syntax", file: "obedient/helper.py" }));
});

/** Names, sizes and times of all files. */
async function stateOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return Promise.all(
    names.sort().map(async (name) => {
      const { size, mtimeMs, ino, nlink } = await stat(join(folder, name));
      return `${name} ${size} ${mtimeMs} ${ino} ${nlink}`;
    }),
  );
}
