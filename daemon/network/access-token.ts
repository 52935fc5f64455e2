import { randomBytes } from "node:crypto";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "../../common/machine/absent.ts";
import { readIfPresent } from "../../common/machine/read-if-present.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { dataDirError, ensureDataDir } from "../files/data-dir.ts";
import { writeText } from "../files/json-file.ts";

/** 256 bits: cannot be guessed at any rate of attempts. */
const BYTES = 32;
export const TOKEN_PATTERN = /^[\w-]{43}$/;

/** Where the token of a data folder is kept, readable by its owner alone. */
export const tokenFile = (dataDir: string): string => join(dataDir, "access-token");

/** The token of the daemon that uses a data folder; empty when it has none. */
export const tokenIn = async (dataDir: string): Promise<string> =>
  (await readFile(tokenFile(dataDir), "utf8").catch(ifAbsent(""))).trim();

/**
 * The token of a daemon on the network: made at the first call, then always the same.
 * @throws WorkbenchError `usage` when the data folder or the file cannot be read or written: a new token would sign out all
 */
export async function accessToken(dataDir: string): Promise<string> {
  ensureDataDir(dataDir);
  const file = tokenFile(dataDir);
  try {
    const kept = (await readIfPresent(file))?.trim() ?? "";
    if (TOKEN_PATTERN.test(kept)) {
      await chmod(file, 0o600);
      return kept;
    }
    const token = randomBytes(BYTES).toString("base64url");
    await writeText(file, `${token}\n`, { what: "The access token", mode: 0o600 });
    return token;
  } catch (error) {
    throw error instanceof WorkbenchError ? error : dataDirError(dataDir, error);
  }
}
