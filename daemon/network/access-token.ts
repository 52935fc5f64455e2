import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";

/** 256 bits: cannot be guessed at any rate of attempts. */
const BYTES = 32;
const TOKEN_PATTERN = /^[\w-]{43}$/;

/** Where the token of a data folder is kept, readable by its owner alone. */
export const tokenFile = (dataDir: string): string => join(dataDir, "access-token");

/** The token of a daemon on the network: made at the first call, then always the same. */
export async function accessToken(dataDir: string): Promise<string> {
  const file = tokenFile(dataDir);
  const kept = (await readFile(file, "utf8").catch(() => "")).trim();
  if (TOKEN_PATTERN.test(kept)) {
    await chmod(file, 0o600);
    return kept;
  }
  const token = randomBytes(BYTES).toString("base64url");
  await mkdir(dataDir, { recursive: true });
  await writeFileAtomic(file, `${token}\n`, { mode: 0o600 });
  return token;
}
