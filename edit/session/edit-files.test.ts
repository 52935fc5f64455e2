import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { readPossibleSource } from "../apply/file.ts";
import { applyMultiFileAnswer } from "./edit-files.ts";

let app = "";

beforeEach(async () => {
  app = temporaryFolder("app-");
  await mkdir(join(app, "hello"));
  await writeFile(join(app, "pyproject.toml"), "[project]\n");
  await writeFile(join(app, "hello", "main.py"), "x = 1\n");
  await writeFile(join(app, "README.md"), "# Hello\n\n```sh\nrun\n```\n");
  await writeFile(join(app, "hello", "other.py"), "z = 1\n");
});

/** Applies the edits of an answer, of main.py, README.md and a new moves.py. */
async function apply(edits: string, named = ["hello/main.py", "README.md", "hello/moves.py"]) {
  const files = await Promise.all(
    named.map(async (name) => ({ name, source: await readPossibleSource(join(app, name)), history: [] })),
  );
  const outcome = await applyMultiFileAnswer({ text: edits, finished: true, app, files, syntax: "refuse" });
  if (outcome.status === "applied") return Object.fromEntries(outcome.files.map(({ name, result }) => [name, result]));
  return outcome.status === "refused"
    ? outcome.refusals.map(({ name, refusal }) => `${name ?? "answer"}: ${refusal.code}`)
    : outcome.status;
}

const change = (from: string, to: string, fence = "```") =>
  `${fence}python\n${from}\n<|search_and_replace|>\n${to}\n${fence}`;
const whole = (code: string, lang = "python", fence = "```") => `${fence}${lang}\n${code}\n${fence}`;
const MAIN = `File: hello/main.py\n${change("x = 1", "x = 2")}`;

test("each file has its edit: search and replace, or the whole file when it is new", async () => {
  const readme = `File: README.md\n${"````"}markdown\nrun\n<|search_and_replace|>\nrun it\n${"````"}`;
  expect(await apply(`${MAIN}\nFile: hello/moves.py\n${whole("y = 1")}\n\n${readme}`)).toEqual({
    "hello/main.py": "x = 2\n",
    "hello/moves.py": "y = 1\n",
    "README.md": "# Hello\n\n```sh\nrun it\n```\n",
  });
  expect(await apply(`${MAIN}\nFile: \`hello/dances/__init__.py\`\n\n${whole("")}`)).toEqual({
    "hello/main.py": "x = 2\n",
    "hello/dances/__init__.py": "",
  });
  expect(await apply(MAIN.replaceAll("\n", "\r\n"))).toEqual({ "hello/main.py": "x = 2\n" });
  expect(await apply("")).toBe("no-change");
});

test("an answer that is too long is refused", async () => {
  expect(await apply(`${MAIN}\n${" ".repeat(16 * 1024 * 1024)}`)).toEqual(["answer: too-long"]);
});

test("line ends and byte order mark of each file are kept", async () => {
  await writeFile(join(app, "hello", "main.py"), "\uFEFFx = 1\r\ny = 1\r\n");
  expect(await apply(MAIN)).toEqual({ "hello/main.py": "\uFEFFx = 2\r\ny = 1\r\n" });
});

test.each([
  ["../evil.py"],
  ["/etc/cron.d/evil"],
  ["C:\\evil.py"],
  ["hello\\evil.py"],
  ["hello/../../evil.py"],
  ["./hello/evil.py"],
  ["hello//evil.py"],
  ["hello/evil.py/"],
  [".github/workflows/evil.yml"],
  ["hello/.env"],
  ["hello/__pycache__/main.py"],
  ["build/evil.py"],
  ["hello.egg-info/entry_points.txt"],
  ["hello/ev\u202Eil.py"],
  ["pyproject.toml"],
  ["hello/Pyproject.toml"],
  ["setup.py"],
  ["Setup.cfg"],
  ["hello/setup.py."],
  ["tests/conftest.py"],
  ["pytest.ini"],
  ["tox.ini"],
  ["noxfile.py"],
  ["hello/sitecustomize.py"],
  ["usercustomize.py"],
  ["hello/start.pth"],
  ["src/sitecustomize/__init__.py"],
  ["hello/sitecustomize/__init__.py"],
  ["hello/usercustomize.cpython-314-darwin.so"],
  ["hello/SiteCustomize.pyi"],
  ["hello/x.dist-info/METADATA"],
  ["hello/tox.toml"],
  ["hello/other.egg-link"],
  // Places where Python imports from, and folders of which the request has no file.
  ["main.py"],
  ["random.py"],
  ["numpy/__init__.py"],
  ["src/hello/moves.py"],
  ["src/json/__init__.py"],
  ["tests/test_hello.py"],
  ["GUIDE.md"],
  ["hello2/moves.py"],
  ["hello/other.py"],
  ["hello/Main.py"],
  ["Hello/new.py"],
  ["hello"],
  ["hello/main.py/new.py"],
])("an edit of %s is refused", async (path) => {
  expect(await apply(`${MAIN}\nFile: ${path}\n${whole("y = 1")}`)).toEqual([`${path}: wrong-path`]);
});

test("an edit that leads out of the app through a link is refused; a file that is executed by its name is edited when it is named", async () => {
  await symlink(temporaryFolder("elsewhere-"), join(app, "out"));
  await writeFile(join(app, "out", "old.py"), "x = 1\n");
  const named = `File: out/old.py\n${change("x = 1", "x = 2")}\n`;
  expect(await apply(`${named}File: out/new.py\n${whole("y = 1")}`, ["out/old.py"])).toEqual([
    "out/new.py: wrong-path",
  ]);
  const project = `File: pyproject.toml\n${change("[project]", "[project2]").replace("python", "toml")}`;
  expect(await apply(project, ["pyproject.toml"])).toEqual({ "pyproject.toml": "[project2]\n" });
  const setup = `File: setup.py\n${whole("y = 1")}`;
  expect(await apply(setup, ["setup.py"])).toEqual({ "setup.py": "y = 1\n" });
});

test("new files that differ in upper and lower case only are refused", async () => {
  const two = `${MAIN}\nFile: hello/a.py\n${whole("y = 1")}\nFile: hello/A.py\n${whole("y = 2")}`;
  expect(await apply(two)).toEqual(["hello/A.py: wrong-path"]);
  for (const name of ["hello/MOVES.py", "hello/move\u017f.py", "hello/mo\u0301ves.py"])
    expect([
      name,
      await apply(`${MAIN}\nFile: ${name}\n${whole("y = 1")}`, [
        "hello/main.py",
        "hello/moves.py",
        "hello/m\u00f3ves.py",
      ]),
    ]).toEqual([name, [`${name}: wrong-path`]]);
});

test("an answer that changes no file of the request makes none", async () => {
  const stray = `File: hello/stray.py\n${whole("y = 1")}`;
  expect(await apply(stray)).toEqual(["hello/stray.py: wrong-path"]);
  expect(await apply(`${MAIN}\n${stray}`)).toEqual({ "hello/main.py": "x = 2\n", "hello/stray.py": "y = 1\n" });
});

test("wherever an answer names files, new ones are in a folder of the request and executed by nothing", async () => {
  const parts = fc.constantFrom(
    "hello",
    "src",
    "Hello",
    "tests",
    "sitecustomize",
    "web",
    "..",
    ".",
    "",
    "main.py",
    "x.pth",
  );
  const names = fc.constantFrom(
    "new.py",
    "__init__.py",
    "conftest.py",
    "sitecustomize.py",
    "page.html",
    "setup.cfg",
    "main.py",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { maxLength: 3 }), names, async (folders, name) => {
      const path = [...folders, name].join("/");
      const made = await apply(`${MAIN}\nFile: ${path}\n${whole("{}", "")}`);
      if (Array.isArray(made)) return;
      const isPlain = !/(^|\/)(\.*|sitecustomize|x\.pth)\/|(conftest|sitecustomize)\.py$|setup\.cfg$/.test(path);
      expect([path, made, folders[0], isPlain]).toEqual([path, expect.anything(), "hello", true]);
    }),
    { numRuns: 300 },
  );
});

test("an answer with more than one reading is refused", async () => {
  const ambiguous = ["answer: ambiguous"];
  expect(await apply(`${MAIN}\n${MAIN}`)).toEqual(ambiguous);
  // The fence that closes the first file is lost, then the one that opens the second.
  const second = `File: hello/moves.py\n${whole("y = 1")}`;
  expect(await apply(`${MAIN.replace(/\n```$/, "")}\n${second}`)).toEqual(ambiguous);
  expect(await apply(`${MAIN}\n${second.replace("```python\n", "")}`)).toEqual(ambiguous);
  // Both of them.
  const glued = `File: hello/moves.py\n${whole("y = 1\nFile: b.py\nz = 2")}`;
  expect(await apply(glued)).toEqual(["hello/moves.py: ambiguous"]);
  expect(await apply(`File: hello/moves.py\n${whole("y = 1\n```\n**File: b.py**\n```python\nz = 2")}`)).toEqual(
    ambiguous,
  );
  // A document that shows such a line in a code block, or ends there.
  const shown = "```\nFile: new.txt\n```\nThe end.\n```";
  for (const lang of ["markdown", ""])
    expect(await apply(`File: GUIDE.md\n\`\`\`${lang}\nWrite:\n${shown}`)).toEqual(ambiguous);
  const named = shown.replace("txt\n```", "txt\n```text");
  expect(await apply(`File: GUIDE.md\n\`\`\`markdown\nWrite it.\n${named}`, ["GUIDE.md", "new.txt"])).toEqual({
    ...{ "GUIDE.md": "Write it.\n", "new.txt": "The end.\n" },
  });
  // Two versions of a new file, and of one that exists.
  expect(await apply(`${second}\n${whole("y = 2")}`)).toEqual(["hello/moves.py: ambiguous"]);
  expect(await apply(`${MAIN}\n${change("x = 1", "x = 3")}`)).toEqual(["hello/main.py: overlap"]);
});

test("an answer in which a path, a fence or a separator is lost or doubled is refused", async () => {
  const edits = `${MAIN}\n\nFile: hello/moves.py\n${whole("y = 1\nz = 2")}\n\nFile: README.md\n${change("run", "run it").replace("python", "sh")}`;
  const lines = edits.split("\n");
  const structure = lines.flatMap((line, at) => (/^File:|^```|^<\|/.test(line) ? [at] : []));
  expect(structure).toHaveLength(11);
  for (const at of structure) {
    for (const other of [lines.toSpliced(at, 1), lines.toSpliced(at, 0, lines[at] as string)])
      expect([other.join("\n"), await apply(other.join("\n"))]).toEqual([expect.anything(), expect.any(Array)]);
  }
});

test("an answer without a path, or with the whole of a file that has text, is refused", async () => {
  expect(await apply(change("x = 1", "x = 2"))).toEqual(["answer: malformed"]);
  expect(await apply(`File: hello/main.py\n${whole("x = 2")}`)).toEqual(["hello/main.py: malformed"]);
  expect(await apply(`${MAIN}\nFile: hello/moves.py`)).toEqual(["answer: malformed"]);
});

test("one refused edit refuses all, with the reasons of each file", async () => {
  const wrong = `File: README.md\n${change("y = 1", "y = 2").replace("python", "markdown")}`;
  const broken = `File: hello/moves.py\n${whole("def f(:")}`;
  expect(await apply(`${MAIN}\n${wrong}\n${broken}`)).toEqual([
    "README.md: not-found",
    "hello/moves.py: new-syntax-error",
  ]);
});

test("a path inside of code is code when it has no fence beside it and is in the file", async () => {
  await writeFile(join(app, "README.md"), "x\nFile: a.py\ny\n");
  const edit = "````markdown\nx\nFile: a.py\ny\n<|search_and_replace|>\nx\nFile: a.py\nz\n````";
  expect(await apply(`File: README.md\n${edit}`)).toEqual({ "README.md": "x\nFile: a.py\nz\n" });
});

test("an answer that is cut off is refused", async () => {
  const outcome = await applyMultiFileAnswer({ text: MAIN, finished: false, app, files: [], syntax: "refuse" });
  expect(outcome).toMatchObject({ refusals: [{ refusal: { code: "truncated" } }] });
});
