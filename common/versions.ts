import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Version of the REST interface and the sockets: raised when a client of the old one would break. */
const INTERFACE_VERSION = 1;

/** Version of the verdict's format: raised when a reader of the old one would break. */
export const VERDICT_FORMAT_VERSION = 2;

/** The version of this package. @param packageFolder where its package.json is */
export function packageVersion(packageFolder: string): string {
  return (JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }).version;
}

/** What `--version` prints: the program's version, then those of all else that is versioned. */
export function versionText(packageFolder: string, node: NodeJS.Process["versions"]["node"]): string {
  return [
    packageVersion(packageFolder),
    `robot-sdk ${sdkVersion(packageFolder)}`,
    `REST interface ${INTERFACE_VERSION}`,
    `verdict format ${VERDICT_FORMAT_VERSION}`,
    `Node ${node}`,
  ].join("\n");
}

/** The version of robot-sdk in this package: of its wheel, or of its project in a checkout. */
export function sdkVersion(packageFolder: string): string {
  const project = join(packageFolder, "sdk/pyproject.toml");
  if (existsSync(project)) return /^version = "(.+)"$/m.exec(readFileSync(project, "utf8"))?.[1] ?? "unknown";
  const wheels = join(packageFolder, "dist/sdk");
  const name = existsSync(wheels) ? readdirSync(wheels).find((file) => file.endsWith(".whl")) : undefined;
  return /^robot_sdk-([^-]+)-/.exec(name ?? "")?.[1] ?? "unknown";
}
