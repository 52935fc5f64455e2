import { expect, test } from "vitest";
import { DEFAULT_SERVER_URLS } from "../../../edit/model/find-server.ts";
import { TEMPLATES } from "../../../edit/prompt/template.ts";
import { runProgram } from "../../program.ts";
import { fakeTerminal } from "../../testing/fake-terminal.ts";
import { chosenModel, defaultServerUrl } from "./options.ts";

async function run(...args: string[]) {
  const terminal = fakeTerminal();
  await runProgram(["model", ...args], "0.0.0", terminal);
  return terminal.written;
}

test("a variable for the model that is empty counts as not set", async () => {
  const { signal } = fakeTerminal();
  const env = { ROBOT_MODEL_URL: "", ROBOT_MODEL: "" };
  expect(DEFAULT_SERVER_URLS).toContain(await defaultServerUrl({ env, signal }));
  expect(chosenModel({}, { env })).toBeUndefined();
  expect(chosenModel({}, { env: { ROBOT_MODEL: "m" } })).toBe("m");
});

test("the chat template is printed for servers that take a file", async () => {
  expect((await run("template")).out).toBe(`${TEMPLATES["assistant-conversation"]}\n`);
  expect((await run("template", "nope")).code).toBe(2);
});
