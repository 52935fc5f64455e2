import { expect, test } from "vitest";
import { describeFailure, exceptionIn, ownFailureOf } from "./failure-cause.ts";
import { run } from "./testing/judged.ts";

const FRAMES = ["Traceback (most recent call last):", '  File "/a/my_app/main.py", line 7, in run', "    self.go()"];
const app = { module: "my_app.main" };

test.each([
  [
    [...FRAMES, "AttributeError: 'Status' object has no attribute 'get'"],
    "AttributeError: 'Status' object has no attribute 'get'",
  ],
  [[...FRAMES, "KeyboardInterrupt"], "KeyboardInterrupt"],
  [
    [...FRAMES, "httpx.ConnectError: [Errno 111] Connection refused", "bye"],
    "httpx.ConnectError: [Errno 111] Connection refused",
  ],
  [
    [...FRAMES, "ValueError: a", "", "During handling of the above exception:", "", ...FRAMES, "KeyError: 'b'"],
    "KeyError: 'b'",
  ],
  [['  File "/a/my_app/main.py", line 7, in run', "    go()", "OSError: no"], "OSError: no"],
  [["INFO: listening"], null],
  [[], null],
])("%j ends with %s", (lines, exception) => {
  expect(exceptionIn(lines)).toBe(exception);
});

test.each([
  ["ModuleNotFoundError: No module named 'scipy.spatial'", "imports scipy, which nothing that it depends on brings"],
  [
    "ModuleNotFoundError: No module named 'my_app.moves'",
    "imports my_app.moves, which is not in the installed package",
  ],
  ["KeyError: 'x'", "ended by KeyError: 'x'."],
])("%s is described: %s", (exception, text) => {
  expect(describeFailure({ stderrTail: [...FRAMES, exception] }, app)).toContain(text);
});

test("an app that was stopped, or ended well, did not fail by itself", () => {
  const stderrTail = [...FRAMES, "KeyError: 'x'"];
  const ended = { endRequestedAt: null, exit: { code: 1, signal: null } };
  expect(ownFailureOf(run({ ...ended, stderrTail }))).toBe("KeyError: 'x' at main.py\", line 7, in run");
  expect(ownFailureOf(run({ stderrTail }))).toBeNull();
  expect(ownFailureOf(run({ ...ended, exit: { code: 0, signal: null }, stderrTail }))).toBeNull();
});
