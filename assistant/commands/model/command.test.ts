import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { DEFAULT_SERVER_URLS } from "../../../edit/model/find-server.ts";
import { PROBE_SAMPLE } from "../../../edit/model/probe.ts";
import { renderPrompt } from "../../../edit/prompt/render-prompt.ts";
import { TEMPLATES } from "../../../edit/prompt/template.ts";
import { replay } from "../../../edit/testing/models/replay.ts";
import { runProgram } from "../../program.ts";
import { fakeTerminal } from "../../testing/fake-terminal.ts";
import { chosenModel, defaultServerUrl } from "./options.ts";

const prompt = renderPrompt(PROBE_SAMPLE, { format: "wf" });
const answer = "```python\nx = 1\n```<|next_end|><|im_end|>";

async function run(...args: string[]) {
  const terminal = fakeTerminal({ env: { XDG_STATE_HOME: temporaryFolder("state-") } });
  await runProgram(["model", ...args], "0.0.0", terminal);
  return terminal.written;
}

test("a server that keeps control tokens is usable", async () => {
  const { url } = await replay({ [prompt]: answer });
  const { out, code } = await run("probe", "--server-url", url);
  expect(out).toContain(`${url} is vLLM with replay (wf)`);
  expect(out).toContain("yes  control tokens arrive");
  expect(out).toContain("Edits will work");
  expect(code).toBe(0);
  expect(JSON.parse((await run("probe", "--server-url", url, "--json")).out)).toMatchObject({
    usable: true,
    findings: [{ answer: "yes" }, { answer: "unknown" }, {}, { answer: "unknown" }],
  });
});

test("a server that removes control tokens is not usable, and the output names the flag to change", async () => {
  const url = await serveHttp((request, response) => {
    response.setHeader("Server", "llama.cpp");
    response.setHeader("Content-Type", "application/json");
    const answers: Record<string, unknown> = {
      "/v1/models": { data: [{ id: "m-LC", owned_by: "llamacpp" }] },
      "/v1/completions": { choices: [{ text: "", finish_reason: "stop" }] },
      "/tokenize": { tokens: [1, 2, 3] },
      "/apply-template": { prompt: "[INST]" },
    };
    const found = answers[request.url ?? ""];
    response.writeHead(found ? 200 : 400).end(JSON.stringify(found ?? { error: { message: "Unknown role: current" } }));
  });
  const { out, code } = await run("probe", "--server-url", url);
  expect(out).toContain("is llama.cpp with m-LC (lc)");
  expect(out).toContain("to change it: llama-server --special");
  expect(out).toContain("makes 3 token(s)");
  expect(out).toContain("Unknown role: current");
  expect(out).toContain("--chat-template-file");
  expect(code).toBe(1);
});

test("a variable for the model that is empty counts as not set", async () => {
  const { signal } = fakeTerminal();
  const env = { ROBOT_MODEL_URL: "", ROBOT_MODEL: "" };
  expect(DEFAULT_SERVER_URLS).toContain(await defaultServerUrl({ env, signal }));
  expect(chosenModel({}, { env })).toBeUndefined();
  expect(chosenModel({}, { env: { ROBOT_MODEL: "m" } })).toBe("m");
});

test("the robot daemon is not mistaken for a model server", async () => {
  const url = await serveHttp((request, response) => {
    const known = request.url === "/api/daemon/status";
    response.writeHead(known ? 200 : 404).end(JSON.stringify(known ? { robot_name: "robot" } : {}));
  });
  expect(await run("probe", "--server-url", url)).toMatchObject({
    code: 3,
    err: expect.stringContaining("is the robot daemon"),
  });
  expect((await run("probe", "--server-url", "http://127.0.0.1:1")).code).toBe(3);
});

test("the chat template is printed for servers that take a file", async () => {
  expect((await run("template")).out).toBe(`${TEMPLATES["assistant-conversation"]}\n`);
  expect((await run("template", "nope")).code).toBe(2);
});
