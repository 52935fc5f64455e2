import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { accessToken, tokenFile } from "./access-token.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder("token-");
});

test("the token is created once for each data folder, in a file that only the owner can read", async () => {
  const token = await accessToken(dataDir);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await accessToken(dataDir)).toBe(token);
  expect(await accessToken(join(dataDir, "another"))).not.toBe(token);
  expect(statSync(tokenFile(dataDir)).mode & 0o777).toBe(0o600);
});

test("a token file that others can read is protected, and one without a token is replaced", async () => {
  const token = await accessToken(dataDir);
  chmodSync(tokenFile(dataDir), 0o644);
  expect(await accessToken(dataDir)).toBe(token);
  expect(statSync(tokenFile(dataDir)).mode & 0o777).toBe(0o600);
  writeFileSync(tokenFile(dataDir), "short\n");
  expect(await accessToken(dataDir)).toMatch(/^[\w-]{43}$/);
});
