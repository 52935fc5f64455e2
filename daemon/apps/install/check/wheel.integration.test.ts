import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../common/testing/temporary-folder.ts";
import { readWheel } from "./wheel.ts";

const VENV = path.resolve(".venv");
const PACK = `
import json, sys, warnings, zipfile
warnings.simplefilter("ignore")
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    for name in json.loads(sys.argv[2]):
        wheel.writestr(name, name)
`;

/** Reads a wheel with files of these names. */
function read(names: readonly string[]) {
  const file = path.join(temporaryFolder("robot-wheel-"), "app-1.0-py3-none-any.whl");
  execFileSync(path.join(VENV, "bin/python"), ["-c", PACK, file, JSON.stringify(names)]);
  return readWheel(file, { venv: VENV, env: process.env });
}

test("a wheel is read with the names of its files", async () => {
  const names = ["app/main.py", "app/static/a b's.txt", "app/\u00e9.py"];
  const { files, contents } = await read(names);
  expect([files, Object.keys(contents)]).toEqual([[...names].sort(), names]);
});

test.each([
  ["twice", ["app/a.py", "app/a.py"], "is in it twice"],
  ["of another file's path on other systems", ["app/a.py", "app\\a.py"], "a backslash or a control character"],
  ["with a line break", ["app/a\nb.py"], "a backslash or a control character"],
  ["out of it", ["app/../../a.py"], "leads out of it"],
  ["in another case", ["app/Part.py", "app/part.py"], "'app/Part.py' and 'app/part.py' differ only in case"],
  ["in a folder of another case", ["App/a.py", "app/b.py"], "'App' and 'app' differ only in case"],
  ["in another normal form", ["app/\u00e9.py", "app/e\u0301.py"], "differ only in case or Unicode form"],
])("a wheel with a name %s is refused, because installers do not agree on its files", async (_, names, message) => {
  await expect(read(names)).rejects.toMatchObject({ code: "app-invalid", message: expect.stringContaining(message) });
});
