import { expect, test } from "vitest";
import { askPython } from "./run-python.ts";

const PYTHON = ".venv/bin/python";
const ask = (script: string, timeoutMs?: number) =>
  askPython(PYTHON, ["-c", script], { env: process.env, timeoutMs, maxBuffer: 1000 });

test.each(["/no/such/python", "/etc/passwd", "/etc/passwd/python"])("%s is known not to run", async (python) => {
  const { failed, exitCode } = await askPython(python, [], { env: process.env });
  expect([failed, exitCode]).toEqual([true, undefined]);
});

test("a Python that the system could not start is no answer", async () => {
  await expect(ask("x".repeat(2_000_000))).rejects.toMatchObject({
    code: "python-missing",
    message: expect.stringContaining(`${PYTHON} could not be started (E2BIG). Nothing was changed.`),
  });
});

test("a Python that is asked answers, also with an exit code or too much output", async () => {
  expect(await ask("print(3)")).toMatchObject({ failed: false, stdout: "3" });
  expect(await ask("raise SystemExit(3)")).toMatchObject({ failed: true, exitCode: 3 });
  expect(await ask("while True: print('x' * 100)")).toMatchObject({ failed: true, isMaxBuffer: true });
});

test.each([
  ["import time; time.sleep(3600)", 200, "did not answer within 0.2 s. Nothing was changed. Try again when"],
  ["import os; os.kill(os.getpid(), 9)", undefined, "was ended by SIGKILL. Nothing was changed. Try again when"],
])("%s is no answer", async (script, timeoutMs, text) => {
  await expect(ask(script, timeoutMs)).rejects.toMatchObject({
    code: "python-missing",
    message: expect.stringContaining(`${PYTHON} ${text}`),
  });
});
