import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { appUnderTest, withPage } from "./app-under-test.ts";
import { EXAMPLE_APP } from "./testing/example-app-under-test.ts";

test.each([
  ["http://localhost:8042/page", 8042],
  ["http://localhost:80", 80],
  ["https://localhost:443", 443],
])("the page of an app with custom_app_url %s is at port %i", (url, port) => {
  expect(withPage(EXAMPLE_APP, { customAppUrl: url, servesItself: false }).page).toEqual({ url, port });
});

test.each([null, "http://localhost", "localhost:8042", "http://localhost:0", "http://localhost:65536"])(
  "an app with custom_app_url %s has no page",
  (url) => {
    expect(withPage(EXAMPLE_APP, { customAppUrl: url, servesItself: false }).page).toBeNull();
  },
);

test.each([
  [["my_app/main.py"], ""],
  [["src/my_app/main.py"], "src/"],
  [["src/my_app/main/__init__.py"], "src/"],
  [["my_app/main.py", "src/my_app/main.py"], ""],
  [[], ""],
])("an app with the files %j has the source root %j", (files, sourceRoot) => {
  const folder = temporaryFolder("robot-app-under-test-");
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  const extra = { entry_point: "my_app.main:MyApp" };
  const info = { name: "my_app", source_kind: "installed", description: "", url: null, extra } as const;
  expect(appUnderTest({ info, module: "my_app.main", file: null }, folder)).toMatchObject({ sourceRoot });
});
