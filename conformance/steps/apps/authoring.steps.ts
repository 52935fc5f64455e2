import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { After } from "@cucumber/cucumber";
import { execa } from "execa";
import { NO_PACKAGE_INDEX } from "../../../common/machine/offline.ts";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { wavFile } from "../../../daemon/audio/capture/wav.ts";
import { tone } from "../../../daemon/audio/testing/tones.ts";
import { freePort } from "../../runner/ports.ts";
import { Given, Then, When } from "../support/define-steps.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

/** The port of the templates' page; other apps use it too. */
const TEMPLATE_PORT = "8042";

/** The app's folder, and the address of its page. */
let folder = "";
let page = "";
let model: ModelServer | undefined;

After(async () => {
  await model?.close();
  model = undefined;
});

const hubOf = ({ hub }: ScenarioWorld): string => hub?.url ?? "";

/** Runs a program of the package as its user does, with the scenario's data folder as home. */
async function run(world: ScenarioWorld, program: string, ...args: string[]): Promise<string> {
  const env = { ...NO_PACKAGE_INDEX, HOME: world.dataDir, HF_TOKEN: "hf_local_write", GIT_CONFIG_NOSYSTEM: "1" };
  const options = { cwd: world.dataDir, env, stdin: "ignore", timeout: DEADLINE_MS } as const;
  return (await execa(process.execPath, [path.resolve("bin", `${program}.mjs`), ...args], options)).stdout;
}

When("{string} is created from the template {string}", async function (app: string, template: string) {
  await run(this, "robot-app-assistant", "create", app, "authored", "--template", template);
  folder = path.join(this.dataDir, "authored", app);
  const port = await freePort();
  page = `http://127.0.0.1:${port}`;
  await replaceInFile(path.join(folder, app, "main.py"), TEMPLATE_PORT, String(port));
});

Then("its check passes", async function () {
  const { verdict, counts } = JSON.parse(await run(this, "robot-app-assistant", "check", folder, "--json"));
  const { pass, ...others } = counts;
  assert.deepEqual({ verdict, ...others }, { verdict: "conformant", fail: 0, warn: 0, skip: 0, error: 0 });
  assert.ok(pass > 0);
});

When("it is published", async function () {
  await run(this, "robot-app-assistant", "publish", folder, "--skip-certify", "--hub-url", hubOf(this));
});

When("its author breaks its entry point", async () => {
  await replaceInFile(path.join(folder, "pyproject.toml"), ".main:", ".no_such_module:");
});

Then("its publication is refused with {string}", async function (pattern: string) {
  const published = run(this, "robot-app-assistant", "publish", folder, "--skip-certify", "--hub-url", hubOf(this));
  await assert.rejects(published, new RegExp(pattern));
});

When("it is installed editable from its folder", async function () {
  this.answers = [await this.request("POST", "/api/apps/install", { path: folder, editable: true })];
});

When("it is installed from its folder", async function () {
  await run(this, "robot-daemon", "install", folder, "--data-dir", this.dataDir);
});

When("its author makes it print {string}", async (words: string) => {
  const main = path.join(folder, path.basename(folder), "main.py");
  await replaceInFile(main, "        seconds = ", `        print(${JSON.stringify(words)})\n        seconds = `);
});

Given("a daemon with a microphone recording of speech", async function () {
  const microphone = path.resolve("fixtures/recordings/speech.wav");
  // The app keeps its settings there instead of in the home folder.
  await this.startDaemon({ microphone, env: { XDG_CONFIG_HOME: path.join(this.dataDir, "config") } });
});

Given(
  "a model server that transcribes {string}, calls dance and answers {string} with a tone of {int} Hz",
  async (hears: string, says: string, hertz: number) => {
    const voice = wavFile(tone(hertz, 3, 24_000), 24_000, 1);
    model = await startModelServer({
      transcript: hears,
      toolCall: { name: "dance", arguments: {} },
      reply: says,
      speech: voice,
    });
  },
);

When("its page is set to use the model server", async () => {
  const body = JSON.stringify({ language_url: model?.url ?? "" });
  await waitFor(DEADLINE_MS, "the page takes the model's address", async () => {
    const headers = { "content-type": "application/json" };
    return (await fetch(`${page}/settings`, { method: "POST", headers, body })).ok;
  });
});

Then("its status {string} contains {string}", async (what: string, words: string) => {
  await waitFor(DEADLINE_MS, `${what}: ${words}`, async () => {
    const status = (await (await fetch(`${page}/status`)).json()) as Record<string, string>;
    if (status[what]?.includes(words)) return true;
    throw new Error(JSON.stringify(status));
  });
});

Then("the model server received the tool result {string}", (words: string) => {
  const chats = model?.requests.filter((request) => request.path.endsWith("/chat/completions")) ?? [];
  const last = chats.flatMap(({ body }) => JSON.parse(body.toString("utf8")).messages).find(isToolMessage);
  assert.equal(last?.content, words);
});

function isToolMessage(message: { role: string; content: unknown }): boolean {
  return message.role === "tool";
}

async function replaceInFile(file: string, find: string, put: string): Promise<void> {
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(find, put));
}
