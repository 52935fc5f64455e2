import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { SECRET_FILE, WORKSHOP_SECRET } from "../../robot/wire/workshop/access-secret.ts";

/** Bits of a file's mode that let others than its owner read or write it. */
const FOR_OTHERS = 0o077;

/**
 * Reads the secret for the workshop of a folder from a file in it. That the file is this user's, and only this user can read
 * it, shows that who asks is this user, whom the folder belongs to anyway: another user of the machine cannot make such a file.
 * @throws WorkbenchError `workshop-secret` when there is no such file
 */
export async function readSecretFile(folder: string, name: string): Promise<string> {
  const secret = SECRET_FILE.test(name) ? await readOwn(join(folder, name)).catch(() => null) : null;
  if (secret !== null && WORKSHOP_SECRET.test(secret)) return secret;
  const needed = "a file of the daemon's user that nobody else can read, with a secret of 20 to 100 letters and digits";
  throw new WorkbenchError(
    "workshop-secret",
    `${name} in ${folder} is not ${needed}. robot-app-assistant dev makes one.`,
  );
}

async function readOwn(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    const isOwn = found.isFile() && found.uid === userInfo().uid && (found.mode & FOR_OTHERS) === 0;
    if (!isOwn || found.size > 100) return null;
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
