import { readdir, rm } from "node:fs/promises";
import path from "node:path";

/**
 * Removes Python's compiled copy of a module. Python compares times in whole seconds and sizes, so that it would run the
 * old code after two saves of the same length within a second.
 */
export async function forgetCompiled(folder: string, file: string): Promise<void> {
  if (!file.endsWith(".py")) return;
  const cache = path.join(folder, path.dirname(file), "__pycache__");
  const compiled = `${path.basename(file, ".py")}.`;
  const names = await readdir(cache).catch(() => []);
  await Promise.all(
    names.filter((name) => name.startsWith(compiled)).map((name) => rm(path.join(cache, name), { force: true })),
  );
}
