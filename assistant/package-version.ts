import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of this package. @param packageFolder where its package.json is */
export function packageVersion(packageFolder: string): string {
  return (JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }).version;
}
