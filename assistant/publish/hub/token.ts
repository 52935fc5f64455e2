import { readFile } from "node:fs/promises";
import path from "node:path";
import { userFolder } from "../../../common/machine/user-folders.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What to do about a missing, unknown or read-only token. */
export const LOG_IN_ADVICE = "Run hf auth login (or set HF_TOKEN) with a token that has Write permission.";

/**
 * Finds the token of the platform CLI's login: `HF_TOKEN`, else the file `HF_TOKEN_PATH`, else `token` in `HF_HOME`
 * (https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables).
 * @throws WorkbenchError `hub-token`; the message never contains the value
 */
export async function findToken(env: Environment): Promise<string> {
  const file = tokenFile(env);
  const token = (env.HF_TOKEN || (await readFile(file, "utf8").catch(() => ""))).trim();
  const from = env.HF_TOKEN ? "HF_TOKEN" : file;
  if (token === "") throw new WorkbenchError("hub-token", `There is no token in HF_TOKEN or ${file}. ${LOG_IN_ADVICE}`);
  if (/^hf_\w+$/.test(token)) return token;
  throw new WorkbenchError(
    "hub-token",
    `The value of ${from} is not a token: a token begins with hf_. ${LOG_IN_ADVICE}`,
  );
}

function tokenFile(env: Environment): string {
  if (env.HF_TOKEN_PATH) return env.HF_TOKEN_PATH;
  return path.join(env.HF_HOME || userFolder("cache", "huggingface", env), "token");
}
