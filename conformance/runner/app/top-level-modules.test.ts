import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { topLevelModulesOf } from "./top-level-modules.ts";

test("the packages and modules of a distribution are those of its RECORD", async () => {
  const venv = temporaryFolder("robot-modules-");
  const folder = join(venv, "lib/python3.11/site-packages/my_app-0.1.dist-info");
  await mkdir(folder, { recursive: true });
  const sources = ["my_app/main.py", "my_app/deep/er.py", "helper.py", "my_app/a.txt"];
  const compiled = ["fast.cpython-311-x86_64-linux-gnu.so", "plain.so", "my_app.libs/libx.so.1", "my_app.libs/liby.so"];
  const files = [...sources, ...compiled, "../../../bin/my-app"];
  await writeFile(
    join(folder, "RECORD"),
    [...files, "my_app-0.1.dist-info/METADATA"].map((file) => `${file},,\n`).join(""),
  );
  expect(await topLevelModulesOf(venv, "my-app")).toEqual(["fast", "helper", "my_app", "plain"]);
  expect(await topLevelModulesOf(venv, "other")).toEqual([]);
});
