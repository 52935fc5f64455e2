import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Version of the REST interface and the sockets: raised when a client of the old one would break. */
export const INTERFACE_VERSION = 1;

/** Version of the verdict's format: raised when a reader of the old one would break. */
export const VERDICT_FORMAT_VERSION = 2;

/** What `--version` prints: the program's version, then those of all else that is versioned. */
export function versionText(packageFolder: string, node: NodeJS.Process["versions"]["node"]): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
  return [
    version,
    `robot-sdk ${sdkVersion(packageFolder)}`,
    `REST interface ${INTERFACE_VERSION}`,
    `verdict format ${VERDICT_FORMAT_VERSION}`,
    `Node ${node}`,
  ].join("\n");
}

/** The version of robot-sdk in this package: of its wheel, or of its project in a checkout. */
export function sdkVersion(packageFolder: string): string {
  try {
    const project = readFileSync(join(packageFolder, "sdk/pyproject.toml"), "utf8");
    return /^version = "(.+)"$/m.exec(project)?.[1] ?? "unknown";
  } catch {
    const wheels = readdirSync(join(packageFolder, "dist/sdk")).filter((name) => name.endsWith(".whl"));
    return /^robot_sdk-([^-]+)-/.exec(wheels[0] ?? "")?.[1] ?? "unknown";
  }
}
