import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { runProgram } from "../../../assistant/program.ts";
import { fakeTerminal } from "../../../assistant/testing/fake-terminal.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { certifyCommand } from "../../certify/command.ts";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder("robot-catalogue-command-");
  mkdirSync(join(folder, "apps/some_app"), { recursive: true });
});

async function run(args: string[], signal = new AbortController().signal) {
  const env = { PATH: process.env.PATH, XDG_DATA_HOME: join(folder, "data"), ROBOT_PYTHON: join(folder, "python") };
  const terminal = fakeTerminal({ cwd: folder, env, signal });
  await runProgram(["certify", "--catalogue", "apps", "--tier", "short", ...args], "0.0.0", terminal, {
    certify: async () => (within) => certifyCommand(within, "0.0.0"),
  });
  return terminal.written;
}

test("a catalogue without a Python is exit code 3, as an app is", async () => {
  const { code, out } = await run(["--json"]);
  expect([code, JSON.parse(out)]).toEqual([
    3,
    { status: "error", error: { code: "check-failed", detail: expect.stringContaining(join(folder, "python")) } },
  ]);
});

test("a store that fails is exit code 3", async () => {
  writeFileSync(join(folder, "file"), "");
  const { code, err } = await run(["--store", "file"]);
  expect([code, err]).toEqual([3, expect.stringContaining("The catalogue could not be certified: ENOTDIR")]);
});

test("a mistake in the command line stays exit code 2, an interruption 130", async () => {
  expect((await run(["--store", "s3://bucket"])).code).toBe(2);
  expect((await run([], AbortSignal.abort(new Error("interrupted")))).code).toBe(130);
});
