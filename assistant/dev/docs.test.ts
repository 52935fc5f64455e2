import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { devCommand } from "../commands/dev.ts";
import { fakeTerminal } from "../testing/fake-terminal.ts";
import { KEYS } from "./keys.ts";

const page = readFileSync("docs/developing.md", "utf8");

test("the launch file of new apps attaches where dev --debug listens, and runs the app's module", () => {
  const { configurations } = JSON.parse(readFileSync("assistant/create/templates/default/.vscode/launch.json", "utf8"));
  const [attach, launch] = configurations;
  const help = devCommand(fakeTerminal()).helpInformation();
  expect(attach).toMatchObject({ type: "debugpy", request: "attach", connect: { host: "127.0.0.1" } });
  expect(help).toContain(`(port ${attach.connect.port})`);
  expect(launch).toMatchObject({ type: "debugpy", request: "launch", module: "template_app.main" });
});

test("docs/developing.md shows every key", () => {
  for (const { key, help } of KEYS) expect(page).toContain(`${key} ${help} ·`);
});

test("the README of the example app names dev as the way to run it", () => {
  const readme = readFileSync("fixtures/apps/hello_robot/README.md", "utf8");
  expect(readme).toContain("robot-app-assistant dev . --open");
  expect(readme).not.toContain("pip install -e");
});
