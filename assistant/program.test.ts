import { expect, test } from "vitest";
import { runProgram } from "./program.ts";
import { fakeTerminal } from "./testing/fake-terminal.ts";

async function run(...args: string[]) {
  const terminal = fakeTerminal();
  await runProgram(args, "0.0.0", terminal);
  return terminal.written;
}

test.each(["--version", "-V"])("%s loads no command", async (option) => {
  const terminal = fakeTerminal();
  await runProgram([option], "1.2.3", terminal, { other: () => Promise.reject(new Error("loaded")) });
  expect(terminal.written).toMatchObject({ out: "1.2.3\n", code: 0 });
});

test.each(["--json", "--format json", "--format=json"])("with %s an error is JSON", async (option) => {
  const { out, err, code } = await run("check", "nowhere", ...option.split(" "));
  expect({ err, code }).toEqual({ err: "", code: 2 });
  expect(JSON.parse(out)).toEqual({
    status: "error",
    error: { code: "bad-request", detail: expect.stringContaining("does not exist") },
  });
});

test.each(["--select PKG-001", "--format text", "--format sarif"])("with %s an error is text", async (option) => {
  const { out, err, code } = await run("check", "nowhere", ...option.split(" "));
  expect({ out, code }).toEqual({ out: "", code: 2 });
  expect(err).toContain("error: ");
});
