import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identityOf } from "../../../common/machine/process-table.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { sitePackagesOf } from "../../../daemon/apps/catalogue/installed-apps.ts";
import type { SourceRoot } from "./app-under-test.ts";
import { checkImport } from "./import-check.ts";

/** Imports an app whose main module has some lines, beside a library that is not compiled yet. */
async function importApp(main: string, helper = "", sourceRoot: SourceRoot = "") {
  const folder = temporaryFolder("robot-import-check-");
  const venv = join(folder, "venv");
  const made = spawnSync("python3", ["-m", "venv", "--without-pip", venv], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  const [sitePackages = ""] = await sitePackagesOf(venv);
  for (const name of ["my_app", "a_library"]) await mkdir(join(sitePackages, name));
  await writeFile(join(sitePackages, "a_library/__init__.py"), "answer = 42\n");
  await writeFile(join(sitePackages, "my_app/__init__.py"), "");
  await writeFile(join(sitePackages, "my_helper.py"), helper);
  await writeFile(join(sitePackages, "my_app/main.py"), main);
  const { PYTHONDONTWRITEBYTECODE: _, ...env } = process.env;
  const { error, effects } = await checkImport(
    venv,
    { module: "my_app.main", className: "MyApp", sourceRoot, modules: ["my_app", "my_helper"] },
    join(folder, "import"),
    { network: false, quota: false, python: join(venv, "bin/python"), bubblewrap: null, reason: "a test" },
    { env, now: () => Date.now(), signal: new AbortController().signal },
  );
  const isCompiled = existsSync(join(sitePackages, "a_library/__pycache__"));
  return { error, effects, isCompiled, work: join(folder, "import/work") };
}

test("an app is not blamed for what Python compiles of the libraries that it imports", async () => {
  expect(await importApp("import a_library\n")).toMatchObject({ error: null, effects: [], isCompiled: true });
});

test("an app is blamed for a folder that it makes while it is imported", async () => {
  const { error, effects } = await importApp('import os, a_library\nos.mkdir("made")\n');
  expect(error).toBeNull();
  expect(effects).toEqual([{ what: "makes a folder: made", file: "my_app/main.py", line: 2 }]);
});

test("an app may set environment variables, which libraries read as they are imported", async () => {
  expect(await importApp('import os\nos.environ.setdefault("OMP_NUM_THREADS", "1")\n')).toMatchObject({ effects: [] });
});

test("an app that kills its process while it is imported is reported with the signal", async () => {
  const { error } = await importApp("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n");
  expect(error).toBe("the process ended with SIGKILL while it was imported");
});

test("a process that the app starts while it is imported is ended, also one that leaves its session", async () => {
  const popen = 'subprocess.Popen(["sleep", "600"], start_new_session=True)';
  const { effects, work } = await importApp(`import subprocess\nopen("pid", "w").write(str(${popen}.pid))\n`);
  const pid = Number(await readFile(join(work, "pid"), "utf8"));
  expect(await identityOf(pid)).toBeNull();
  expect(effects.map(({ what }) => what)).toContain("starts a process");
});

test.each([
  ["_thread.start_new_thread(print, ())", "starts a thread"],
  ["threading.Thread(target=print).start()", "starts a thread"],
  ['sqlite3.connect("notes.db").execute("create table t (x)")', "opens a database: notes.db"],
  ['os.chdir("/")', "changes the working folder"],
  ['os.symlink("/", "link")', "makes a link"],
  ['open(b"bytes.txt", "w").close()', "writes bytes.txt"],
  ['os.close(os.open(b"low.txt", os.O_CREAT | os.O_WRONLY))', "writes low.txt"],
  ['os.close(os.open("empty.txt", os.O_CREAT))', "writes empty.txt"],
  ['socket.socket(type=socket.SOCK_DGRAM).sendto(b"", ("127.0.0.1", 9))', "sends a packet"],
  ["os._exit(0) if pty.fork()[0] == 0 else os.wait()", "forks"],
])("%s is a side effect, once", async (line, what) => {
  const { effects } = await importApp(`import _thread, os, pty, socket, sqlite3, threading\n${line}\n`);
  expect(effects).toEqual([{ what, file: "my_app/main.py", line: 2 }]);
});

test("a module of the app beside its package is the app's, too", async () => {
  const { effects } = await importApp("import my_helper\n", '"""Helps."""\nopen("seen", "w").close()\n');
  expect(effects).toEqual([{ what: "writes seen", file: "my_helper.py", line: 2 }]);
});

test("the side effects of an app with a src layout are in src/", async () => {
  const write = 'open("seen", "w").close()\nctypes.CDLL(None).creat(b"written", 0o600)';
  const { effects } = await importApp(`import ctypes\n${write}\n`, "", "src/");
  expect(effects).toEqual([
    { what: "writes seen", file: "src/my_app/main.py", line: 2 },
    { what: "leaves written in the working folder", file: "src/my_app/main.py", line: 1 },
  ]);
});

test("a file that was written past Python is seen", async () => {
  const write = 'ctypes.CDLL(None).creat(b"written", 0o600)';
  const { effects } = await importApp(`import ctypes\n${write}\n`);
  expect(effects).toEqual([{ what: "leaves written in the working folder", file: "my_app/main.py", line: 1 }]);
});
