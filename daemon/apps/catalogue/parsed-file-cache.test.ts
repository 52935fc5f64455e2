import { rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { ParsedFileCache } from "./parsed-file-cache.ts";

async function cachedFile() {
  const folder = temporaryFolder("cache-");
  const time = { now: 0 };
  const cache = new ParsedFileCache(() => time.now);
  const file = path.join(folder, "file");
  let parsed = 0;
  const parse = (text: string) => {
    parsed += 1;
    return text;
  };
  return { file, time, read: () => cache.read(file, parse), parsed: () => parsed };
}

test("a file that appears, changes and disappears is noticed, whatever its time of change says", async () => {
  const { file, time, read } = await cachedFile();
  expect(await read()).toBeNull();
  for (const text of ["one", "two", "six"]) {
    await writeFile(file, text);
    await utimes(file, 1_000_000, 1_000_000);
    expect(await read()).toBe(text);
    time.now += 1000;
    expect(await read()).toBe(text);
  }
  await rm(file);
  expect(await read()).toBeNull();
  expect(await read()).toBeNull();
});

test("a change within one tick of the file system's clock is noticed", async () => {
  const { file, read } = await cachedFile();
  for (let change = 100; change < 300; change += 1) {
    await writeFile(file, String(change));
    expect(await read()).toBe(String(change));
  }
});

test("an unchanged file is parsed once more, when a change within the clock's tick can be ruled out, and not again", async () => {
  const { file, time, read, parsed } = await cachedFile();
  await writeFile(file, "text");
  await read();
  time.now += 1000;
  for (let count = 0; count < 10; count += 1) await read();
  expect(parsed()).toBe(2);
});
