import { expect, test } from "vitest";
import { askPython } from "./run-python.ts";

const PYTHON = ".venv/bin/python";
const ask = (script: string, timeoutMs?: number) =>
  askPython(PYTHON, ["-c", script], { env: process.env, timeoutMs, maxBuffer: 1000 });

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
