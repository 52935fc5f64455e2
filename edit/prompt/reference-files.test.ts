import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { readReferenceFiles, referenceText } from "./reference-files.ts";

let folder = "";
beforeEach(async () => {
  folder = temporaryFolder("reference-files-");
});

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

test("of a folder the author's texts are read, not what tools make", async () => {
  const own = ["README.md", "my_app/__init__.py", "my_app/main.py", "my_app/static/index.html", "pyproject.toml"];
  const made = [".venv/x.py", "build/x.py", "my_app/__pycache__/x.py", "my_app.egg-info/x.toml", "node_modules/x.js"];
  await write(Object.fromEntries([...own, ...made, "my_app/static/icon.png"].map((name) => [name, "text"])));
  const read = await readReferenceFiles(["."], folder);
  expect(read.map(({ name }) => name).sort()).toEqual(own);
});

test("a named file is read whatever its name", async () => {
  await write({ "notes.log": "one\r\ntwo\r\n" });
  expect(await readReferenceFiles(["notes.log"], folder)).toEqual([{ name: "notes.log", text: "one\ntwo\n" }]);
});

test("files that are too long together, missing or no text are refused; one with a control token is read", async () => {
  await write({
    "long.md": "x".repeat(40_000),
    "longer.md": "x".repeat(20_001),
    "token.md": "a <|next_end|> b",
    "bytes.md": new Uint8Array([0xff, 0xfe, 0x41]),
  });
  const code = (...names: string[]) =>
    readReferenceFiles(names, folder).then(
      () => "read",
      (error) => error.code,
    );
  expect(await code("long.md")).toBe("read");
  expect(await code("long.md", "longer.md")).toBe("bad-request");
  expect(await code("gone.md")).toBe("bad-request");
  expect(await code("bytes.md")).toBe("edit-refused");
  expect(await code("token.md")).toBe("read");
});

test("the text names each file and fences it; without files it is empty", () => {
  expect(referenceText([])).toBe("");
  expect(referenceText([{ name: "a.py", text: "x = 1" }])).toMatch(/a\.py:\n```python\nx = 1\n```/);
});
