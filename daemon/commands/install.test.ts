import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";
import type { CommandContext } from "./command-context.ts";
import { install } from "./install.ts";

test("a folder without an app is refused before the environment is created", async () => {
  const folder = temporaryFolder("install-");
  const dataDir = join(folder, "data");
  const context = { env: {}, isInteractive: false, interrupted: new AbortController().signal } as CommandContext;
  const given = {
    command: "install",
    isolated: false,
    json: false,
    dataDir,
    venv: join(dataDir, "apps_venv"),
  } as const;
  const attempt = (source: string) => install({ ...given, source, hubUrl: PUBLIC_HUB }, context);
  await expect(attempt(folder)).rejects.toMatchObject({
    code: "app-invalid",
    message: `There is no pyproject.toml in ${folder}; give the folder of an app.`,
  });
  await expect(attempt(join(folder, "none"))).rejects.toThrow("There is no folder");
  expect(existsSync(dataDir)).toBe(false);
});
