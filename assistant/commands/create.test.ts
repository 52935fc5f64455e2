import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { parseSettingDeclarations } from "../../robot/wire/apps/app-settings.ts";
import { nextSteps } from "../create/next-steps.ts";
import { TEMPLATES } from "../create/template.ts";
import { runProgram } from "../program.ts";
import type { Choice, Question, Terminal } from "../terminal.ts";
import { fakeTerminal } from "../testing/fake-terminal.ts";

let place = "";
beforeEach(async () => {
  place = temporaryFolder("create-command-");
});

async function run(args: string[], more: Partial<Terminal> = {}) {
  const terminal = fakeTerminal({ cwd: place, packageFolder: process.cwd(), ...more });
  await runProgram(args, "0.0.0", terminal);
  return terminal.written;
}

describe.each(TEMPLATES.map(({ value }) => ["--template", value]))("create %s %s", (...template) => {
  test("creates an app that passes its check without a finding", async () => {
    const { err, code } = await run(["create", "my_app", ".", ...template]);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    const { out } = await run(["check", "my_app", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      verdict: "conformant",
      app: "my_app",
      counts: { fail: 0, warn: 0, skip: 0, error: 0 },
    });
    const files = [
      ".gitignore",
      ".vscode",
      "AGENTS.md",
      "README.md",
      "index.html",
      "my_app",
      "pyproject.toml",
      "style.css",
      "tests",
    ];
    expect((await readdir(path.join(place, "my_app"))).sort()).toEqual(files);
  });
});

test("the default template is short", async () => {
  await run(["create", "my_app", "."]);
  const lines = (await readFile(path.join(place, "my_app/my_app/main.py"), "utf8")).split("\n");
  expect(lines.length).toBeLessThan(40);
});

test("a name with hyphens and capitals is normalised, and the output says so", async () => {
  const { out, code } = await run(["create", "My-App", "apps"]);
  expect(code).toBe(0);
  expect(out).toContain("The app is named my_app: Python modules have underscores");
  expect(await readdir(path.join(place, "apps"))).toEqual(["my_app"]);
});

test("the next steps have the path of the app from the working directory", async () => {
  const here = { cwd: place, packageFolder: place, env: {}, published: false };
  const inside = nextSteps({ ...here, folder: path.join(place, "it's mine/my_app") });
  expect(inside).toContain("npx robot-app-assistant dev './it'\\''s mine/my_app' --open ");
  const outside = await run(["create", "other_app"]);
  const command = `${process.cwd()}/bin/robot-app-assistant.mjs`;
  expect(outside.out).toContain(`${command} dev ./other_app --open `);
  const tasks = JSON.parse(await readFile(path.join(place, "other_app/.vscode/tasks.json"), "utf8")).tasks;
  expect(tasks[0].command).toBe(`${command} dev --open`);
});

test("missing arguments are asked for on a terminal and refused elsewhere", async () => {
  const asked: Question[] = [];
  const ask = async (question: Question) => {
    asked.push(question);
    return question.fallback;
  };
  const confirm = async () => true;
  const person = { interactive: true, ask, confirm, choose: async () => "default", env: { HOME: place } };
  expect(await run(["create"], person)).toMatchObject({ code: 0, out: expect.stringContaining(`${place}/my_app`) });
  expect(asked.map(({ validate }) => validate("class"))).toEqual([expect.stringContaining("my_class")]);
  expect(asked[0]?.validate("fine")).toBeUndefined();

  expect(await run(["create", "deep_app", "deeper"], person)).toMatchObject({ code: 0 });
  expect(await readdir(path.join(place, "deeper"))).toEqual(["deep_app"]);
  expect(await run(["create", "shared_app", "--publish", "--json"], person)).toMatchObject({ code: 2 });
  expect(await readdir(place)).not.toContain("shared_app");
  const declined = await run(["create", "my_app", "no/such/folder"], { ...person, confirm: async () => false });
  expect(declined).toMatchObject({ code: 1, out: "Nothing was created.\n" });
  expect(await readdir(place)).not.toContain("no");
  const cancelled = await run(["create"], { ...person, ask: async () => undefined });
  expect(cancelled).toMatchObject({ code: 1, out: "Nothing was created.\n", err: "" });
  expect(await run(["create"])).toMatchObject({ code: 2, err: expect.stringContaining("<app_name> is missing") });
  const created = JSON.parse((await run(["create", "x", "--json"])).out);
  expect(created).toEqual({ status: "created", app: "x", folder: path.join(place, "x"), template: "default" });
});

test("invalid arguments end with code 2 and create nothing", async () => {
  expect(await run(["create", "class", "."])).toMatchObject({ code: 2, err: expect.stringContaining("my_class") });
  expect(await run(["create", "a", ".", "--template", "best"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("Allowed choices are default"),
  });
  expect(await readdir(place)).toEqual([]);
  await run(["create", "twice", "."]);
  expect(await run(["create", "twice", "."])).toMatchObject({
    code: 2,
    err: expect.stringContaining("exists already"),
  });
});

test("--template page ships the page and asks for what serves it", async () => {
  await run(["create", "my_app", ".", "--template", "page"]);
  const read = (file: string) => readFile(path.join(place, "my_app", file), "utf8");
  expect(await read("pyproject.toml")).toContain('dependencies = ["robot-sdk[web]"]');
  expect(await read("pyproject.toml")).toContain('my_app = ["static/*"]');
  expect(await read("my_app/static/index.html")).toContain("<title>My App</title>");
  expect(await read("README.md")).toContain("robot_python_app");
});

test("--template settings ships the declaration of its settings, and is for the own SDK", async () => {
  await run(["create", "my_app", ".", "--template", "settings"]);
  const read = (file: string) => readFile(path.join(place, "my_app", file), "utf8");
  expect(await read("pyproject.toml")).toContain('my_app = ["robot_settings.json"]');
  const declared = parseSettingDeclarations(await read("my_app/robot_settings.json"), "robot_settings.json");
  expect(Object.keys(declared)).toEqual(["speed", "side", "antennas"]);
  const other = ["create", "other", ".", "--template", "settings", "--dialect", "reachy_mini"];
  expect(await run(other)).toMatchObject({ code: 2, err: expect.stringContaining("robot_sdk only") });
});

test("a person chooses the template unless a flag does", async () => {
  const asked: string[] = [];
  const choose = async ({ message, options }: Choice) => {
    asked.push(message);
    return options.find(({ value }) => value === "page")?.value;
  };
  const person = { interactive: true, choose };
  await run(["create", "one", "."], person);
  expect(await readdir(path.join(place, "one/one"))).toContain("static");
  await run(["create", "two", ".", "--template", "default"], person);
  expect(await readdir(path.join(place, "two/two"))).not.toContain("static");
  expect(asked).toEqual(["Which template?"]);
  expect(await run(["create", "three", "."], { ...person, choose: async () => undefined })).toMatchObject({ code: 1 });
  expect(await readdir(place)).not.toContain("three");
});

test("the first next step is dev", async () => {
  const { out } = await run(["create", "my_app", "."]);
  const [first = ""] = (out.split("Next:\n")[1] ?? "").split("\n");
  expect(first).toMatch(/robot-app-assistant(?:\.mjs)? dev .\/my_app /);
});
