import { existsSync, readdirSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../../../../common/files/sha256.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { digestOf } from "../fetch/digest.ts";

/**
 * Where this package has the Python package robot-sdk: its wheel in an installed package, its project folder in a checkout.
 * @throws WorkbenchError `internal` when it has neither
 */
export function sdkSourceIn(packageDir: string): string {
  const project = path.join(packageDir, "sdk");
  if (existsSync(path.join(project, "pyproject.toml"))) return project;
  const folder = path.join(packageDir, "dist/sdk");
  const wheel = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".whl")) : undefined;
  if (wheel !== undefined) return path.join(folder, wheel);
  throw new WorkbenchError("internal", `${packageDir} has no robot-sdk; install the package again.`);
}

/** A digest of the SDK: of its wheel, or of the files of its project. */
export async function digestOfSdk(source: string): Promise<string> {
  if ((await stat(source)).isDirectory()) return digestOf(source);
  return `sha256:${sha256(await readFile(source))}`;
}
