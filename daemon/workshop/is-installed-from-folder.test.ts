import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import { isInstalledFromFolder } from "./is-installed-from-folder.ts";

const installed = (name: string, extra: object) => [{ info: { name, extra } as AppInfo }];

test("an app counts as installed from a folder when it is editable there, also by another path of it", async () => {
  const place = temporaryFolder("installed-");
  const [folder, link] = [join(place, "app"), join(place, "link")];
  await mkdir(folder);
  await symlink(folder, link);
  const is = (name: string, extra: object) => isInstalledFromFolder(folder, "my_app", installed(name, extra));
  expect(await is("my-app", { editable: true, folder })).toBe(true);
  expect(await is("my_app", { editable: true, folder: link })).toBe(true);
});

test("a copy of the app, one of another folder and another app do not count", async () => {
  const is = (name: string, extra: object) => isInstalledFromFolder("/app", "my_app", installed(name, extra));
  expect(await is("my_app", {})).toBe(false);
  expect(await is("my_app", { editable: true, folder: "/other" })).toBe(false);
  expect(await is("other", { editable: true, folder: "/app" })).toBe(false);
  expect(await isInstalledFromFolder("/app", "my_app", [])).toBe(false);
});
