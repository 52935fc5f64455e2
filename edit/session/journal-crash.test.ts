import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../common/testing/property-runs.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { readPossibleSource } from "../apply/file.ts";
import { DISK, type Disk } from "../write/disk.ts";
import { findLastEdit, type RecoveredEdit, readEdits, recoverEdits, undoEdit, writeEdit } from "./journal.ts";

const MADE = { time: "2024-01-01T00:00:00.000Z", instruction: "Split." };
/** The files before and after the edit; null where there is none. */
const BEFORE: Record<string, string | null> = { "main.py": "one\n", "moves.py": "nod\n", "new/deep/wave.py": null };
const AFTER: Record<string, string | null> = { "main.py": "two\n", "moves.py": null, "new/deep/wave.py": "wave\n" };
const NAMES = Object.keys(BEFORE);

class MachineStopped extends Error {}

/** A disk that ends with a step, half done, as the machine does, and before another lets something happen. */
function stoppingDisk(stopAt: number, eventAt = 0, event = () => {}) {
  let steps = 0;
  const step = (halfDone = () => {}): void => {
    steps += 1;
    if (steps === eventAt) event();
    if (steps === stopAt) halfDone();
    if (steps >= stopAt) throw new MachineStopped();
  };
  const stepped =
    <A extends unknown[], R>(run: (...args: A) => R) =>
    (...args: A): R => {
      step();
      return run(...args);
    };
  const disk: Disk = {
    read: stepped(DISK.read),
    list: stepped(DISK.list),
    create: async (file, text, like) => {
      step(() => writeFileSync(file, text.slice(0, text.length / 2)));
      await DISK.create(file, text, like);
    },
    rename: stepped(DISK.rename),
    link: stepped(DISK.link),
    remove: stepped(DISK.remove),
    makeFolder: stepped(DISK.makeFolder),
    removeFolder: stepped(DISK.removeFolder),
    flush: stepped(DISK.flush),
  };
  return { disk, steps: () => steps };
}

/** An app as it is before the edit, or with `undo` after it, and what writes the other state. */
async function prepare(undo: boolean) {
  const place = temporaryFolder("journal-");
  const [app, journal] = [join(place, "app"), join(place, "state")];
  await mkdir(app);
  for (const [name, text] of Object.entries(BEFORE)) if (text !== null) await writeFile(join(app, name), text);
  const edit = async (options: { disk?: Disk } = {}) => {
    const edits = NAMES.map(async (name) => ({
      source: await readPossibleSource(join(app, name)),
      result: AFTER[name] ?? null,
    }));
    await writeEdit(journal, await Promise.all(edits), MADE, options);
  };
  if (undo) await edit();
  const write = async (disk: Disk) => {
    const last = undo ? await findLastEdit(journal, join(app, "main.py")) : undefined;
    if (last === undefined) return edit({ disk });
    await undoEdit(journal, last, { disk });
  };
  const recover = async (disk = DISK) => {
    const recovered: RecoveredEdit[] = [];
    await recoverEdits(journal, { disk, notify: (each) => recovered.push(each) });
    return recovered;
  };
  return { app, journal, write, recover };
}

const textOf = (app: string, name: string): string | null => {
  const bytes = DISK.read(join(app, name));
  return bytes === null ? null : new TextDecoder().decode(bytes);
};
const texts = (app: string) => Object.fromEntries(NAMES.map((name) => [name, textOf(app, name)]));
const entries = (app: string) => readdirSync(app, { recursive: true }).map(String).sort();

describe.each([
  ["edit", false],
  ["undo", true],
])("an %s", (_what, undo) => {
  test("that stops at any step is afterwards in all of its files or in none, and can be undone or made again", async () => {
    for (let stopAt = 1; ; stopAt += 1) {
      const { app, journal, write, recover } = await prepare(undo);
      const before = entries(app);
      const { disk, steps } = stoppingDisk(stopAt);
      const error = await write(disk).catch((error: unknown) => error);
      const recovered = await recover();
      const isBefore = JSON.stringify(texts(app)) === JSON.stringify(undo ? AFTER : BEFORE);
      expect(texts(app)).toEqual(isBefore === undo ? AFTER : BEFORE);
      expect(recovered.map(({ outcome }) => outcome)).toEqual(
        recovered.length === 0 ? [] : [isBefore ? "taken-back" : "finished"],
      );
      // Nothing stands beside the files, nor in the journal.
      if (isBefore) expect(entries(app)).toEqual(before);
      expect(entries(app).filter((name) => name.includes(".robot-edit"))).toEqual([]);
      expect(readEdits(journal)).toHaveLength(isBefore === undo ? 1 : 0);
      if (isBefore) await write(DISK);
      else expect(await findLastEdit(journal, join(app, "main.py")).then((last) => last !== undefined)).toBe(!undo);
      expect(texts(app)).toEqual(undo ? BEFORE : AFTER);
      if (error === undefined && steps() < stopAt) return;
    }
  });
});

test("whatever another program saves between two steps stays, also when write and recovery stop", async () => {
  const cases = fc.record({
    undo: fc.boolean(),
    saveAt: fc.nat(70),
    stopAt: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(90)),
    stopAgainAt: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(40)),
    name: fc.constantFrom(...NAMES),
    how: fc.constantFrom("in place" as const, "by renaming" as const),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ undo, saveAt, stopAt, stopAgainAt, name, how }) => {
      const { app, write, recover } = await prepare(undo);
      let isSaved = false;
      const save = () => {
        const file = join(app, name);
        DISK.makeFolder(join(file, ".."));
        writeFileSync(how === "in place" ? file : `${file}~`, "mine\n");
        if (how === "by renaming") renameSync(`${file}~`, file);
        isSaved = true;
      };
      const { disk } = stoppingDisk(stopAt, saveAt, save);
      await write(disk).catch(() => undefined);
      await recover(stoppingDisk(stopAgainAt).disk).catch(() => undefined);
      await recover();
      if (isSaved) expect(textOf(app, name)).toBe("mine\n");
      // The other files are all in one of the two states.
      const others = NAMES.filter((each) => !isSaved || each !== name).map((each) => textOf(app, each));
      const states = [BEFORE, AFTER].map((state) =>
        NAMES.filter((each) => !isSaved || each !== name).map((each) => state[each]),
      );
      expect(states).toContainEqual(others);
      expect(entries(app).filter((each) => each.includes(".robot-edit"))).toEqual([]);
    }),
    { numRuns: PROPERTY_RUNS / 5 },
  );
});

test("a file that cannot be looked at is not taken for one that is gone: the edit waits, and blocks its files alone", async () => {
  const { app, journal, write, recover } = await prepare(false);
  await write(stoppingDisk(18).disk).catch(() => undefined);
  const blind: Disk = {
    ...DISK,
    read: (file) => {
      if (file.startsWith(app)) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
      return DISK.read(file);
    },
  };
  expect(await recover(blind)).toMatchObject([{ outcome: "stuck", reason: "too many open files" }]);
  const other = join(app, "..", "other.py");
  const edit = async (file: string, disk: Disk) =>
    writeEdit(journal, [{ source: await readPossibleSource(file), result: "x\n" }], MADE, { disk });
  await edit(other, blind);
  await expect(edit(join(app, "main.py"), blind)).rejects.toThrow(/cannot be taken back now \(too many open files\)/);
  expect(readFileSync(other, "utf8")).toBe("x\n");
  expect(await recover()).toMatchObject([{ outcome: "taken-back" }]);
  expect(texts(app)).toEqual(BEFORE);
});

test("a record that cannot be parsed is set aside; it blocks nothing", async () => {
  const { journal, write, recover, app } = await prepare(false);
  await mkdir(join(journal, "edits"), { recursive: true });
  await writeFile(join(journal, "edits", "0000000001-damaged.begun"), "{");
  expect(await recover()).toEqual([]);
  await write(DISK);
  expect(texts(app)).toEqual(AFTER);
  rmSync(journal, { recursive: true });
});
