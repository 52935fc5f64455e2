import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";

const PREPARE = fileURLToPath(new URL("prepare.mjs", import.meta.url));

test("dependencies are not installed through a link: npm would empty the folder that it leads to", async () => {
  const folder = temporaryFolder("robot-prepare-");
  const [checkout, modules] = [join(folder, "checkout"), join(folder, "modules")];
  for (const each of [checkout, modules]) mkdirSync(each);
  writeFileSync(join(modules, "package.json"), "{}");
  writeFileSync(join(checkout, "package-lock.json"), "{}");
  symlinkSync(modules, join(checkout, "node_modules"));
  const script = `
    const { installDependencies } = await import(${JSON.stringify(PREPARE)});
    process.chdir(${JSON.stringify(checkout)});
    await installDependencies();`;
  const { failed, stderr } = await execa("node", ["--input-type=module", "-e", script], { reject: false });
  expect(failed).toBe(true);
  expect(stderr).toContain("node_modules is a link");
  expect(existsSync(join(modules, "package.json"))).toBe(true);
});
