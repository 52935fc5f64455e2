import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { After } from "@cucumber/cucumber";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { wavFile } from "../../../daemon/audio/capture/wav.ts";
import { pitchShare, tone } from "../../../daemon/audio/testing/tones.ts";
import { FRAME_SAMPLES, SAMPLE_RATE } from "../../../robot/wire/audio/audio-frames.ts";
import { type AudioClient, openAudioClient } from "../support/audio-client.ts";
import { Given, Then, When } from "../support/define-steps.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

/** Samples in half a second, from which the pitch is measured. */
const PITCH_SAMPLES = SAMPLE_RATE / 2;

/** Where the tests install their apps and the SDK. */
const PYTHON = resolve("artifacts/test-data/apps_venv/bin/python");

let clients: AudioClient[] = [];
let script: ChildProcess | undefined;
let microphoneTimer: NodeJS.Timeout | undefined;

After(() => {
  clearInterval(microphoneTimer);
  script?.kill("SIGKILL");
  for (const client of clients) client.close();
  clients = [];
});

async function connectClient(world: ScenarioWorld, track: "speaker" | "microphone" | null): Promise<AudioClient> {
  const client = await openAudioClient(world.daemon.url, track);
  clients.push(client);
  return client;
}

const firstClient = (): AudioClient => {
  const [client] = clients;
  if (client === undefined) throw new Error("the scenario has no audio client");
  return client;
};

/** Waits until at least 90 % of the last half second is a tone of this pitch. */
const receivesTone = (client: AudioClient, hertz: number) =>
  waitFor(DEADLINE_MS, `a tone of ${hertz} Hz`, () => {
    if (client.samples.length < PITCH_SAMPLES) throw new Error(`only ${client.samples.length} samples were received`);
    const found = pitchShare(client.samples.slice(-PITCH_SAMPLES), hertz);
    if (found < 0.9) throw new Error(`${(100 * found).toFixed(0)} % of the samples have that pitch`);
    return true;
  });

Given("a/another client listens to the {word}", async function (track: "speaker" | "microphone") {
  await connectClient(this, track);
});

Given("a daemon with a microphone recording of a tone of {int} Hz", async function (hertz: number) {
  const microphone = join(this.dataDir, "microphone.wav");
  writeFileSync(microphone, wavFile(tone(hertz, 1, 44_100), 44_100, 2));
  await this.startDaemon({ microphone });
});

Given("a client lends it a microphone with a tone of {int} Hz", async function (hertz: number) {
  const client = await connectClient(this, null);
  client.send({ type: "lend_microphone", on: true });
  const sound = tone(hertz, 1);
  let at = 0;
  // In frames, a little faster than real time, as a browser sends them.
  microphoneTimer = setInterval(() => {
    client.play("microphone", sound.subarray(at, at + FRAME_SAMPLES));
    at = (at + FRAME_SAMPLES) % sound.length;
  }, 19);
});

Then("the client receives a tone of {int} Hz", (hertz: number) => receivesTone(firstClient(), hertz));

Then("both clients receive a tone of {int} Hz", async (hertz: number) => {
  assert.equal(clients.length, 2);
  for (const client of clients) await receivesTone(client, hertz);
});

Then("the tone of {int} Hz has stopped", async function (hertz: number) {
  firstClient().clearSamples();
  // Another sound is played, so that there are samples without the tone.
  await this.request("POST", "/api/volume/test-sound");
  await waitFor(DEADLINE_MS, "half a second of the chime", () => firstClient().samples.length >= PITCH_SAMPLES);
  assert.ok(pitchShare(firstClient().samples, hertz) < 0.05, "the tone still plays");
});

Then("the client receives a sound", async () => {
  firstClient().clearSamples();
  await waitFor(DEADLINE_MS, "a sound", () => firstClient().samples.some((sample) => Math.abs(sample) > 500));
});

Then(/^the microphone has (\d+) listeners?$/, async function (count: string) {
  await waitFor(DEADLINE_MS, `${count} listeners`, async () => {
    const { microphone } = await this.get<{ microphone: { listeners: number } }>("/api/audio/status");
    assert.equal(microphone.listeners, Number(count));
    return true;
  });
});

When("wake_up is requested as soon as the robot sleeps", async function () {
  await waitFor(DEADLINE_MS, "the robot sleeps", async () => {
    const { mode } = await this.get<{ mode: string }>("/api/motors/status");
    return mode === "disabled";
  });
  assert.equal((await this.request("POST", "/api/move/play/wake_up")).status, 200);
});

When("the volume is set to {int}", async function (volume: number) {
  assert.equal((await this.request("POST", "/api/volume/set", { volume })).status, 200);
});

When("the daemon is closed and started again", async function () {
  await this.daemon.close();
  await this.startDaemon();
});

Then("the volume is {int}", async function (volume: number) {
  assert.equal((await this.get<{ volume: number }>("/api/volume/current")).volume, volume);
});

When("the script {string} is run", function (name: string) {
  const env = { ...process.env, ROBOT_DAEMON_URL: this.daemon.url };
  script = spawn(PYTHON, [`fixtures/scripts/${name}.py`], { env, stdio: ["ignore", "ignore", "inherit"] });
});

When("a client sends {int} bytes to the audio socket", async function (count: number) {
  (await connectClient(this, null)).sendBytes(new Uint8Array(count));
});

Then("the client receives {string}", async (text: string) => {
  const client = clients.at(-1);
  await waitFor(DEADLINE_MS, `"${text}"`, () => client?.messages.some((message) => message.includes(text)));
});
