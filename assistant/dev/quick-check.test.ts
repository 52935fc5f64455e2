import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { reportWith } from "../check/testing/healthy.ts";
import { forgetCompiled } from "./python-cache.ts";
import { newFindings, syntaxErrorIn } from "./quick-check.ts";

let folder = "";
beforeEach(async () => {
  folder = temporaryFolder("quick-check-");
});

test("the first syntax error among the changed modules", async () => {
  await writeFile(path.join(folder, "good.py"), "x = 1\n");
  await writeFile(path.join(folder, "bad.py"), "x = 1\ndef f(:\n");
  await writeFile(path.join(folder, "text.txt"), "def f(:\n");
  expect(await syntaxErrorIn(folder, ["good.py", "text.txt", "gone.py"])).toBeUndefined();
  expect(await syntaxErrorIn(folder, ["good.py", "bad.py"])).toMatch(/^bad\.py:2: /);
});

test("only new findings are shown, and that all are gone", async () => {
  const healthy = await reportWith({});
  const broken = await reportWith({ "style.css": null });
  expect(newFindings(broken, healthy)).toEqual([
    "check: PKG-001 style.css  style.css is missing: add it beside pyproject.toml.",
  ]);
  expect(newFindings(broken, broken)).toEqual([]);
  expect(newFindings(healthy, broken)).toEqual(["check: nothing left to fix"]);
});

test("the compiled copy of a changed module is removed, and no other", async () => {
  await mkdir(path.join(folder, "app/__pycache__"), { recursive: true });
  for (const name of ["main.cpython-311.pyc", "main.cpython-311.opt-1.pyc", "mainly.cpython-311.pyc"])
    await writeFile(path.join(folder, "app/__pycache__", name), "");
  await forgetCompiled(folder, "app/main.py");
  await forgetCompiled(folder, "app/static/main.js");
  expect(await readdir(path.join(folder, "app/__pycache__"))).toEqual(["mainly.cpython-311.pyc"]);
});
