import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { accessToken, tokenFile } from "./access-token.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "token-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test("the token is made once, unlike any other, and its file is its owner's alone", async () => {
  const token = await accessToken(dataDir);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await accessToken(dataDir)).toBe(token);
  expect(await accessToken(join(dataDir, "another"))).not.toBe(token);
  expect(statSync(tokenFile(dataDir)).mode & 0o777).toBe(0o600);
});

test("a file that others may read is closed, one that holds no token is replaced", async () => {
  const token = await accessToken(dataDir);
  chmodSync(tokenFile(dataDir), 0o644);
  expect(await accessToken(dataDir)).toBe(token);
  expect(statSync(tokenFile(dataDir)).mode & 0o777).toBe(0o600);
  writeFileSync(tokenFile(dataDir), "short\n");
  expect(await accessToken(dataDir)).toMatch(/^[\w-]{43}$/);
});
