import { expect, test } from "vitest";
import { findingsOf } from "./findings.ts";

const TRACEBACK = [
  "Traceback (most recent call last):",
  '  File "/var/lib/robot-daemon/apps_venv/lib/python3.11/site-packages/my_app/main.py", line 12, in run',
  '  File "/var/lib/robot-daemon/apps_venv/lib/python3.11/site-packages/my_app/moves/wave.py", line 7, in wave',
  '  File "/usr/lib/python3.11/json/__init__.py", line 3, in loads',
];

const placesOf = (sourceRoot: "" | "src/") =>
  findingsOf(
    [
      { message: "It raised.", errors: TRACEBACK },
      { message: "It did not end." },
      { message: "It writes a file.", at: { file: "src/my_app/store.py", line: 4 } },
    ],
    { module: "my_app.main", sourceRoot },
  ).map(({ file, line }) => [file, line]);

test("a finding is at the innermost line of the app in the traceback, else at the main module", () => {
  expect(placesOf("").slice(0, 2)).toEqual([
    ["my_app/moves/wave.py", 7],
    ["my_app/main.py", null],
  ]);
});

test("in an app with a src layout the files are in src/, and a known place stays as it is", () => {
  expect(placesOf("src/")).toEqual([
    ["src/my_app/moves/wave.py", 7],
    ["src/my_app/main.py", null],
    ["src/my_app/store.py", 4],
  ]);
});
