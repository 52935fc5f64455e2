import { join, resolve } from "node:path";
import { pid } from "node:process";
import { expect, onTestFinished, test, vi } from "vitest";
import { ProcessTable } from "../../common/machine/process-table.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { systemClock } from "../../common/time/clock.ts";
import { certifyInChildProcess } from "./certify-in-child-process.ts";

const children = () =>
  ProcessTable.readSync()
    .childrenOf(pid)
    .map((entry) => entry.pid);

async function newFolder(): Promise<string> {
  const folder = temporaryFolder("robot-certify-in-child-process-");
  return folder;
}

/** Certifies an app with everything that is written in a folder. */
const certifyAppIn = (folder: string, app: string, env: NodeJS.ProcessEnv = {}, memoryBytes = 1e9) =>
  certifyInChildProcess({
    task: {
      folder: app,
      tier: "short",
      seed: 1,
      jobs: 1,
      cache: join(folder, "cache"),
      version: "0.0.0",
      out: folder,
      report: false,
    },
    deadline: 60,
    memoryBytes,
    env: { ...process.env, TMPDIR: folder, ...env },
    clock: systemClock,
    signal: new AbortController().signal,
  });

test("a certification that cannot be watched is ended", async () => {
  const folder = await newFolder();
  // As without a free file descriptor: later looks fail, too.
  vi.spyOn(ProcessTable, "read").mockRejectedValue(new Error("no process table"));
  onTestFinished(() => void vi.restoreAllMocks());
  const before = children();
  const certified = certifyAppIn(folder, resolve("fixtures/apps/hello_robot"));
  expect(children().length).toBe(before.length + 1);
  await expect(certified).rejects.toThrow("no process table");
  expect(children()).toEqual(before);
});

test("memory is limited also where the process has ended between two looks at it", async () => {
  const folder = await newFolder();
  vi.spyOn(ProcessTable, "read").mockResolvedValue(new ProcessTable([]));
  onTestFinished(() => void vi.restoreAllMocks());
  const certified = await certifyAppIn(folder, join(folder, "missing"), {}, 1e6);
  expect(certified).toMatchObject({ kind: "failure", failure: { kind: "memory" } });
  expect(certified.memoryBytes).toBeGreaterThan(1e6);
});

test.each([
  // As EAGAIN and EMFILE are.
  ["as an event", "/missing/node", {}, "ENOENT"],
  ["at once", process.execPath, { LONG: "a".repeat(4_000_000) }, "E2BIG"],
])("a process that cannot be started, reported %s, is a failure of the harness", async (_, program, env, code) => {
  const folder = await newFolder();
  const { execPath } = process;
  process.execPath = program;
  onTestFinished(() => {
    process.execPath = execPath;
  });
  const certified = await certifyAppIn(folder, resolve("fixtures/apps/hello_robot"), env);
  expect(certified).toMatchObject({
    kind: "failure",
    memoryBytes: 0,
    failure: { kind: "harness", message: expect.stringMatching(new RegExp(`could not be started: .*${code}`)) },
  });
});

test("an unexpected error of a certification is kept with its stack", async () => {
  const folder = await newFolder();
  const certified = await certifyAppIn(folder, join(folder, "missing"));
  expect(certified).toMatchObject({
    kind: "failure",
    failure: {
      kind: "harness",
      message: expect.stringContaining("missing does not exist"),
      output: expect.stringMatching(/missing does not exist.*\n\s+at /),
    },
  });
});
