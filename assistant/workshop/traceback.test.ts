import { expect, test } from "vitest";
import { placeInApp } from "./traceback.ts";

const LOG = `12:00 started
[hello] Traceback (most recent call last):
[hello]   File "/usr/lib/python3.11/threading.py", line 10, in run
[hello]   File "/data/apps_venv/lib/python3.11/site-packages/hello/main.py", line 10, in greet
[hello]     return 1 / 0
[hello] ZeroDivisionError: division by zero
[hello] another line
`;

test.each(["hello/main.py", "src/hello/main.py"])(
  "a traceback of the installed package leads to %s, without what follows it",
  (file) => {
    const place = placeInApp(LOG, "/apps/hello", ["README.md", file]);
    expect(place).toMatchObject({ file: `/apps/hello/${file}`, line: 10 });
    expect(place?.text).toMatch(/^Traceback[\s\S]*ZeroDivisionError: division by zero$/);
  },
);

test("a log without a line of the app leads nowhere", () => {
  expect(placeInApp(LOG, "/apps/other", ["other/main.py"])).toBeNull();
  expect(placeInApp("all is well\n", "/apps/hello", ["hello/main.py"])).toBeNull();
});
