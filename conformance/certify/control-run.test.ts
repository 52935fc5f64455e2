import { expect, test } from "vitest";
import { ToolOutput } from "../../daemon/apps/install/tools/tool-output.ts";
import { whatMachineLacks } from "./control-run.ts";

const traceback = (error: string) => ["Traceback (most recent call last):", '  File "main.py", line 1', error];

test("an install that misses a header is the machine's, by the message that the installer gives", () => {
  const output = new ToolOutput();
  output.push("../meson.build:31:9: ERROR: Dependency lookup for girepository-1.0 failed: not found");
  output.push("error: metadata-generation-failed");
  const { message } = output.toError("pip install ended with 1");
  expect(whatMachineLacks("PKG-009", [{ message }])).toMatch(/^PyGObject, .*: apt install .*libgirepository1\.0-dev/);
});

test("a start that ends with a missing library of the system is the machine's", () => {
  const errors = traceback("ImportError: libGL.so.1: cannot open shared object file: No such file or directory");
  const violation = { message: "No connection", errors };
  expect(whatMachineLacks("LIFE-001", [violation])).toBe("This machine lacks libGL.so.1: apt install libgl1");
  // What an app logs before it does something else wrong excuses nothing.
  expect(whatMachineLacks("LIFE-003", [violation])).toBeNull();
  const logged = { message: "No connection", errors: [...errors, "a", "b", "c", "ValueError: 3"] };
  expect(whatMachineLacks("LIFE-001", [logged])).toBeNull();
});

test("a module that the app does not declare is not the machine's", () => {
  const errors = traceback("ModuleNotFoundError: No module named 'scipy'");
  expect(whatMachineLacks("LIFE-001", [{ message: "No connection", errors }])).toBeNull();
});
