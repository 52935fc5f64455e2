import { readFile } from "node:fs/promises";
import path from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What to do about a missing, unknown or reading token. */
export const LOG_IN = "Run hf auth login (or set HF_TOKEN) with a token that has Write permission.";

/**
 * The token of the platform CLI's login: `HF_TOKEN`, else the file `HF_TOKEN_PATH`, else `token` in `HF_HOME`
 * (https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables).
 * @throws WorkbenchError `hub-token`; it never shows what it found
 */
export async function findToken(env: Environment): Promise<string> {
  const file = tokenFile(env);
  const token = (env.HF_TOKEN || (await readFile(file, "utf8").catch(() => ""))).trim();
  const from = env.HF_TOKEN ? "HF_TOKEN" : file;
  if (token === "") throw new WorkbenchError("hub-token", `There is no token in HF_TOKEN or ${file}. ${LOG_IN}`);
  if (/^hf_\w+$/.test(token)) return token;
  throw new WorkbenchError("hub-token", `What ${from} holds is no token: one begins with hf_. ${LOG_IN}`);
}

function tokenFile(env: Environment): string {
  if (env.HF_TOKEN_PATH) return env.HF_TOKEN_PATH;
  const cache = env.XDG_CACHE_HOME || path.join(env.HOME ?? "/", ".cache");
  return path.join(env.HF_HOME || path.join(cache, "huggingface"), "token");
}
