import { expect, test } from "vitest";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { withCheckFailedCode } from "./check-failed-code.ts";

const converted = (error: Error, signal = new AbortController().signal) =>
  withCheckFailedCode("It failed", signal, () => Promise.reject(error)).catch((thrown: unknown) => thrown);

test.each([
  new Error("ENOSPC: no space left on device"),
  new WorkbenchError("python-missing", "there is no Python"),
  new WorkbenchError("index-unreachable", "there is no index"),
  new WorkbenchError("install-failed", "the SDK could not be installed"),
])("%s becomes check-failed, with its text", async (error) => {
  expect(await converted(error)).toMatchObject({ code: "check-failed", message: `It failed: ${error.message}` });
});

test.each(["usage", "bad-request", "check-failed", "hub-unreachable"] as const)("%s stays", async (code) => {
  const error = new WorkbenchError(code, "a text");
  expect(await converted(error)).toBe(error);
});

test("an interruption stays", async () => {
  const error = new Error("interrupted");
  expect(await converted(error, AbortSignal.abort(error))).toBe(error);
});

test("a result is returned", async () => {
  expect(await withCheckFailedCode("It failed", new AbortController().signal, async () => 7)).toBe(7);
});
