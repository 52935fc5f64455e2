import { readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import type { LogLine } from "../../../robot/wire/apps/app-events.ts";
import { LogFiles } from "./log-files.ts";

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder("logs-");
});

/** The last lines of an app, in one list. */
async function read(logs: LogFiles, app: string, count: number, signal?: AbortSignal): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const piece of logs.readPieces(app, count, signal)) lines.push(...piece);
  return lines;
}

const line = (text: string, time = 0): LogLine => ({ time, app: "hello", from: "stdout", text });

test("the last lines are read back, also those of earlier runs of the daemon", async () => {
  const first = new LogFiles(folder, () => {});
  first.write(line("one", 1));
  first.write({ ...line("two: stdout 3"), from: "stderr" });
  await first.flush();
  const second = new LogFiles(folder, () => {});
  second.write(line("three"));
  expect(await read(second, "hello", 2)).toEqual([{ ...line("two: stdout 3"), from: "stderr" }, line("three")]);
  expect((await read(second, "hello", 10))[0]).toEqual(line("one", 1));
  expect(await read(second, "another", 10)).toEqual([]);
});

test("a log is known by its exact name alone", async () => {
  const logs = new LogFiles(path.join(folder, "logs"), () => {});
  expect(await logs.has("hello")).toBe(false);
  logs.write(line("one"));
  await logs.flush();
  expect(await Promise.all(["hello", "Hello", "hell", "hello.log"].map((name) => logs.has(name)))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("what an app may print at once is kept whole, however slow the disk is", async () => {
  const logs = new LogFiles(folder, () => {});
  for (let count = 0; count < 2000; count += 1) logs.write(line("x".repeat(1023)));
  logs.write(line("last"));
  expect((await read(logs, "hello", 5000)).map(({ text }) => text.length)).toEqual([...Array(2000).fill(1023), 4]);
});

test("large files are rotated, and at most four are kept", async () => {
  const logs = new LogFiles(folder, () => {});
  for (let count = 0; count < 12; count += 1) {
    logs.write(line("x".repeat(600_000)));
    await logs.flush();
  }
  expect((await readdir(folder)).sort()).toEqual(["hello.log", "hello.log.1", "hello.log.2", "hello.log.3"]);
  expect((await stat(path.join(folder, "hello.log.1"))).size).toBeLessThan(1_700_000);
  expect(await read(logs, "hello", 5)).toHaveLength(5);
});

test("the last lines of any files are those of all of their lines", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.string({ unit: "grapheme" })), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 20 }),
      async (files, count) => {
        const place = temporaryFolder("logs-");
        const texts = files.map((lines) => lines.map((text) => text.replaceAll(/[\n\r\u2028\u2029]/g, " ")));
        for (const [age, lines] of [...texts].reverse().entries())
          await writeFile(
            path.join(place, age === 0 ? "hello.log" : `hello.log.${age}`),
            lines.map((text) => `1970-01-01T00:00:00.000Z stdout ${text}\n`).join(""),
          );
        const found = await read(new LogFiles(place, () => {}), "hello", count);
        expect(found).toEqual(
          texts
            .flat()
            .slice(-count)
            .map((text) => line(text)),
        );
      },
    ),
  ));

test("a long log comes in pieces, between which others have their turn", async () => {
  const logs = new LogFiles(folder, () => {});
  for (let i = 0; i < 500; i += 1) logs.write(line("x".repeat(1000), i));
  let others = 0;
  const seen: number[] = [];
  for await (const piece of logs.readPieces("hello", 400)) {
    seen.push(...piece.map(({ time }) => time));
    setImmediate(() => {
      others += 1;
    });
  }
  expect(seen).toEqual(Array.from({ length: 400 }, (_, i) => i + 100));
  expect(others).toBeGreaterThan(3);
});

test("a disk that refuses the log is reported once", async () => {
  const blocked = path.join(folder, "a file");
  await writeFile(blocked, "");
  const errors: string[] = [];
  const logs = new LogFiles(path.join(blocked, "logs"), (reason) => errors.push(reason));
  logs.write(line("one"));
  await logs.flush();
  logs.write(line("two"));
  await logs.flush();
  expect(errors).toEqual([expect.stringContaining("The apps' logs cannot be written: ENOTDIR")]);
});

test("a read that nobody waits for any more is left out, and the next one is not", async () => {
  const logs = new LogFiles(folder, () => {});
  logs.write(line("one"));
  const first = read(logs, "hello", 1);
  const abandoned = new AbortController();
  const second = read(logs, "hello", 1, abandoned.signal);
  const third = read(logs, "hello", 1);
  abandoned.abort();
  await expect(second).rejects.toMatchObject({ name: "AbortError" });
  expect(await Promise.all([first, third])).toEqual([[line("one")], [line("one")]]);
});
