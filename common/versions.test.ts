import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PACKAGE_FOLDER } from "./machine/package-folder.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { sdkVersion, versionText } from "./versions.ts";

test("a checkout and a package name the versions of all parts", () => {
  expect(versionText(PACKAGE_FOLDER, "20.1.2")).toMatch(
    /^\d+\.\d+\.\d+\nrobot-sdk \d\S+\nREST interface \d+\nverdict format \d+\nNode 20\.1\.2$/,
  );
  const folder = temporaryFolder("versions-");
  expect(sdkVersion(folder)).toBe("unknown");
  mkdirSync(join(folder, "dist/sdk"), { recursive: true });
  writeFileSync(join(folder, "dist/sdk/robot_sdk-1.2.3-py3-none-any.whl"), "");
  expect(sdkVersion(folder)).toBe("1.2.3");
});
