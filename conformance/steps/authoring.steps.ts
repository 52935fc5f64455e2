import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { After, Given, Then, When } from "@cucumber/cucumber";
import { execa } from "execa";
import { tone, wavFile } from "../../daemon/audio/testing/tones.ts";
import { NO_INDEX } from "../runner/daemon-under-test.ts";
import { type ModelServer, startModelServer } from "../runner/model-server.ts";
import { within } from "../runner/waiting.ts";
import type { Scene } from "./world.ts";

const RATE = 16_000;
/** The port that templates name for their page; other apps use it too. */
const TEMPLATE_PORT = "8042";

/** The app that the scenario is about, and where its page is. */
let folder = "";
let page = "";
let model: ModelServer | undefined;

After(async () => {
  await model?.close();
  model = undefined;
});

/** Runs a program of the package as its user would, in the scenario's own home. */
async function run(scene: Scene, program: string, ...args: string[]): Promise<string> {
  const env = { ...NO_INDEX, HOME: scene.dataDir, HF_TOKEN: "hf_local_write", GIT_CONFIG_NOSYSTEM: "1" };
  const options = { cwd: scene.dataDir, env, stdin: "ignore", timeout: 60_000 } as const;
  return (await execa(process.execPath, [path.resolve("bin", `${program}.mjs`), ...args], options)).stdout;
}

When("{string} is created from the template {string}", async function (this: Scene, app: string, template: string) {
  await run(this, "robot-app-assistant", "create", app, "authored", "--template", template);
  folder = path.join(this.dataDir, "authored", app);
  const port = await freePort();
  page = `http://127.0.0.1:${port}`;
  await change(path.join(folder, app, "main.py"), TEMPLATE_PORT, String(port));
});

Then("its check finds nothing", async function (this: Scene) {
  const { verdict, counts } = JSON.parse(await run(this, "robot-app-assistant", "check", folder, "--json"));
  const { pass, ...others } = counts;
  assert.deepEqual({ verdict, ...others }, { verdict: "conformant", fail: 0, warn: 0, skip: 0, error: 0 });
  assert.ok(pass > 0);
});

When("it is published", async function (this: Scene) {
  await run(this, "robot-app-assistant", "publish", folder, "--hub-url", this.hub?.url ?? "");
});

When("it is installed from its folder", async function (this: Scene) {
  await run(this, "robot-daemon", "install", folder, "--data-dir", this.dataDir);
});

When("its author lets it print {string}", async function (this: Scene, words: string) {
  const main = path.join(folder, path.basename(folder), "main.py");
  await change(main, "        seconds = ", `        print(${JSON.stringify(words)})\n        seconds = `);
});

Given("a daemon whose microphone hears somebody speak", async function (this: Scene) {
  const microphone = path.join(this.dataDir, "speech.wav");
  const silence = new Int16Array(1.5 * RATE);
  const speech = Int16Array.from([...silence, ...tone(300, 1.5, RATE), ...silence]);
  await writeFile(microphone, wavFile(speech, RATE, 1));
  // Where the app keeps its settings: not at home.
  await this.startDaemon({ microphone, env: { XDG_CONFIG_HOME: path.join(this.dataDir, "config") } });
});

Given(
  "a model that hears {string}, dances and says {string} with a tone of {int} Hz",
  async (hears: string, says: string, hertz: number) => {
    const voice = wavFile(tone(hertz, 3, 24_000), 24_000, 1);
    model = await startModelServer({ hears, calls: { name: "dance", arguments: {} }, says, voice });
  },
);

When("its page is told to use the model", async () => {
  const body = JSON.stringify({ server_url: model?.url ?? "" });
  await within(10_000, "the page takes the model's address", async () => {
    const headers = { "content-type": "application/json" };
    return (await fetch(`${page}/settings`, { method: "POST", headers, body })).ok;
  });
});

Then("its page tells the {string} {string}", async (what: string, words: string) => {
  await within(20_000, `${what}: ${words}`, async () => {
    const status = (await (await fetch(`${page}/status`)).json()) as Record<string, string>;
    if (status[what]?.includes(words)) return true;
    throw new Error(JSON.stringify(status));
  });
});

Then("the model was told that the robot is {string}", (words: string) => {
  const chats = model?.requests.filter((request) => request.path.endsWith("/chat/completions")) ?? [];
  const last = chats.flatMap(({ body }) => JSON.parse(body.toString("utf8")).messages).find(isToolMessage);
  assert.equal(last?.content, words);
});

function isToolMessage(message: { role: string; content: unknown }): boolean {
  return message.role === "tool";
}

async function change(file: string, find: string, put: string): Promise<void> {
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(find, put));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
