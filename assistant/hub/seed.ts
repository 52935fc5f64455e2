import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Accounts } from "./accounts.ts";
import type { Spaces } from "./spaces.ts";

/** `hub.json` of a seed folder. */
const Seed = z.object({
  accounts: z.record(z.string().startsWith("hf_"), z.object({ user: z.string(), role: z.enum(["read", "write"]) })),
  /** Ids of the private spaces. */
  private: z.array(z.string()),
});

/**
 * Fills a hub from a folder: `hub.json`, and the files of each space under `spaces/OWNER/NAME/`. Spaces that are there
 * already stay as they are. Returns the accounts that the seed names.
 */
export async function seed(spaces: Spaces, folder: string): Promise<Accounts> {
  const { accounts, private: hidden } = Seed.parse(JSON.parse(await readFile(path.join(folder, "hub.json"), "utf8")));
  const root = path.join(folder, "spaces");
  for (const owner of await foldersIn(root)) {
    for (const name of await foldersIn(path.join(root, owner))) {
      if ((await spaces.find(owner, name)) !== null) continue;
      const files = await filesIn(path.join(root, owner, name));
      await spaces.create({ owner, name, sdk: "static", private: hidden.includes(`${owner}/${name}`), files });
    }
  }
  return accounts;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function filesIn(folder: string): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"));
  const read = files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    return [path.relative(folder, file), await readFile(file)] as const;
  });
  return new Map(await Promise.all(read));
}
