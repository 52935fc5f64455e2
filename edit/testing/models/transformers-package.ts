import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { execa } from "execa";

const PACKAGE = "@huggingface/transformers@4.3.1";

/**
 * A folder with `@huggingface/transformers` installed. The package with its runtimes is 470 MB, too large for a
 * dependency, so its test installs it once into a cache.
 */
export async function transformersFolder(): Promise<string> {
  const folder = resolve("node_modules/.cache/transformers");
  if (existsSync(resolve(folder, "installed"))) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(resolve(folder, "package.json"), '{"private": true}\n');
  // Install scripts would download GPU libraries; the CPU's are in the package.
  await execa("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", PACKAGE], {
    cwd: folder,
  });
  await writeFile(resolve(folder, "installed"), PACKAGE);
  return folder;
}
