import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { fillDisk, mountSmallDisk } from "../../../../common/testing/full-disk.ts";
import { temporaryFolder } from "../../../../common/testing/temporary-folder.ts";
import { ORIGINS_FILE } from "../../catalogue/origin-records.ts";
import { changeVenv, rollBack } from "./transaction.ts";

let venv: string;
let packages: string;
beforeEach(async () => {
  venv = temporaryFolder("venv-");
  packages = path.join(venv, "lib/python3.12/site-packages");
  await mkdir(path.join(packages, "app/deep"), { recursive: true });
  await mkdir(path.join(venv, "bin"));
  await symlink("/usr/bin/python3", path.join(venv, "bin/python"));
  await fill(0);
});

const FILES = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? `app/${index}.py` : `app/deep/${index}.py`));

/** What an installer does: takes the files away and writes others. */
async function fill(content: number): Promise<void> {
  for (const file of FILES) {
    await rm(path.join(packages, file), { force: true });
    await writeFile(path.join(packages, file), String(content));
  }
  await rm(path.join(venv, "bin/tool"), { force: true });
  await writeFile(path.join(venv, "bin/tool"), String(content));
}

async function contents(): Promise<Set<string>> {
  const files = [...FILES.map((file) => path.join(packages, file)), path.join(venv, "bin/tool")];
  return new Set(await Promise.all(files.map((file) => readFile(file, "utf8"))));
}

test("a successful change stays, and leaves no other files", async () => {
  expect(await changeVenv(venv, () => fill(1).then(() => "done"))).toBe("done");
  expect(await contents()).toEqual(new Set(["1"]));
  expect((await readdir(venv)).sort()).toEqual(["bin", "lib"]);
});

test("a failed change is rolled back, with the files that it added and removed", async () => {
  const change = async () => {
    await fill(1);
    await writeFile(path.join(packages, "added.py"), "");
    await rm(path.join(packages, "app/deep"), { recursive: true });
    throw new Error("no space left");
  };
  await expect(changeVenv(venv, change)).rejects.toThrow("no space left");
  expect(await contents()).toEqual(new Set(["0"]));
  expect(await readdir(packages)).toEqual(["app"]);
  expect((await readdir(venv)).sort()).toEqual(["bin", "lib"]);
});

test("an environment that this user may not change stays as it is, and the error says what to type", async () => {
  // The folder of this test run's temporary files is closed to other users.
  const open = `/var/tmp/venv-${process.pid}`;
  await mkdir(open);
  onTestFinished(() => rm(open, { recursive: true }));
  const theirs = path.join(open, "ada's own");
  await mkdir(theirs);
  await chmod(open, 0o755);
  await chmod(theirs, 0o555);
  // Rights do not bind root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.("nobody");
  const error = await changeVenv(theirs, async () => {})
    .catch((thrown: unknown) => thrown)
    .finally(() => isRoot && process.seteuid?.(0));
  expect(error).toMatchObject({ code: "install-failed", message: expect.stringContaining("nothing was changed") });
  const [, remedy = ""] = /make it yours: sudo (.+)$/.exec((error as Error).message) ?? [];
  await promisify(execFile)("sh", ["-c", remedy]);
});

test("the old files are flushed before the change begins, and the new ones before it is committed", async () => {
  const log: string[] = [];
  const flush = async (folder: string): Promise<void> => {
    const canRollBack = (await readdir(folder)).includes(".before");
    log.push(`flushed ${[...(await contents())]}, ${canRollBack ? "can roll back" : "cannot roll back"}`);
  };
  await changeVenv(venv, () => fill(1), flush);
  expect(log).toEqual(["flushed 0, can roll back", "flushed 1, can roll back"]);
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  let flushes = 0;
  const second = async (): Promise<void> => {
    if (++flushes === 2) throw full;
  };
  await expect(changeVenv(venv, () => fill(2), second)).rejects.toBe(full);
  expect(await contents()).toEqual(new Set(["1"]));
});

test("after a kill at any moment, the environment is as it was before the change or after it", async () => {
  // Of the build, which starts in a fraction of the time.
  const script = `
    import { changeVenv } from "./dist/daemon/apps/install/environment/transaction.js";
    import { rm, writeFile } from "node:fs/promises";
    const files = JSON.parse(process.argv.at(-1));
    console.log("ready");
    for (let content = 1; ; content += 1) {
      await changeVenv(${JSON.stringify(venv)}, async () => {
        for (const file of files) { await rm(file, { force: true }); await writeFile(file, String(content)); }
      });
    }`;
  const files = JSON.stringify([...FILES.map((file) => path.join(packages, file)), path.join(venv, "bin/tool")]);
  const moment = fc.asyncProperty(fc.integer({ min: 0, max: 200 }), async (milliseconds) => {
    const writer = spawn(process.execPath, ["--input-type=module", "-e", script, files]);
    await once(writer.stdout, "data");
    setTimeout(() => writer.kill("SIGKILL"), milliseconds);
    await once(writer, "exit");
    await rollBack(venv);
    expect((await contents()).size).toBe(1);
    expect((await readdir(venv)).sort()).toEqual(["bin", "lib"]);
  });
  await fc.assert(moment, { numRuns: 10 });
});

test("a rollback can be interrupted and repeated", async () => {
  const before = path.join(venv, ".before");
  await mkdir(before);
  await cp(path.join(venv, "lib"), path.join(before, "lib"), { recursive: true });
  await cp(path.join(venv, "bin"), path.join(before, "bin"), { recursive: true, verbatimSymlinks: true });
  await fill(1);
  await rm(path.join(venv, "bin"), { recursive: true });
  await rollBack(venv);
  await rollBack(venv);
  expect(await contents()).toEqual(new Set(["0"]));
  expect((await readdir(venv)).sort()).toEqual(["bin", "lib"]);
});

test("a rollback needs no room on the disk", async ({ skip }) => {
  const disk = await mountSmallDisk();
  if (disk === null) return skip();
  const small = path.join(disk, "venv");
  await cp(venv, small, { recursive: true, verbatimSymlinks: true });
  const file = path.join(small, "lib/python3.12/site-packages/app/0.py");
  const fail = async () => {
    await rm(file);
    await writeFile(file, "changed");
    await fillDisk(disk);
    throw new Error("no space left");
  };
  await expect(changeVenv(small, fail)).rejects.toThrow("no space left");
  expect((await readdir(small)).sort()).toEqual(["bin", "lib"]);
  expect(await readFile(file, "utf8")).toBe("0");
});

test("a file that the change adds beside the packages is removed by the rollback", async () => {
  const file = path.join(venv, ORIGINS_FILE);
  const fail = async () => {
    await writeFile(file, "{}");
    throw new Error("no space left");
  };
  await expect(changeVenv(venv, fail)).rejects.toThrow("no space left");
  expect(await readdir(venv)).not.toContain(ORIGINS_FILE);
  await changeVenv(venv, () => writeFile(file, "1"));
  const replace = async () => {
    await rm(file);
    await fail();
  };
  await expect(changeVenv(venv, replace)).rejects.toThrow("no space left");
  expect(await readFile(file, "utf8")).toBe("1");
});
