import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { After, Given, Then, When } from "@cucumber/cucumber";
import { share, tone, wavFile } from "../../daemon/audio/testing/tones.ts";
import { FRAME_SAMPLES, SAMPLE_RATE } from "../../robot/wire/audio-frames.ts";
import { type Ear, openEar } from "../runner/audio-ear.ts";
import { within } from "../runner/waiting.ts";
import type { Scene } from "./world.ts";

/** Half a second of sound is enough to tell a pitch from. */
const ENOUGH = SAMPLE_RATE / 2;

let ears: Ear[] = [];
let lent: NodeJS.Timeout | undefined;

After(() => {
  clearInterval(lent);
  for (const ear of ears) ear.close();
  ears = [];
});

async function listen(scene: Scene, track: "speaker" | "microphone" | null): Promise<Ear> {
  const ear = await openEar(scene.daemon.url, track);
  ears.push(ear);
  return ear;
}

const first = (): Ear => {
  const [ear] = ears;
  if (ear === undefined) throw new Error("nobody listens in this scenario");
  return ear;
};

/** The last half second is this pitch and little else. */
const hears = (ear: Ear, hertz: number) =>
  within(10_000, `a tone of ${hertz} Hz`, () => {
    if (ear.samples.length < ENOUGH) throw new Error(`only ${ear.samples.length} samples were heard`);
    const found = share(ear.samples.slice(-ENOUGH), hertz);
    if (found < 0.9) throw new Error(`${(100 * found).toFixed(0)} % of what is heard is of that pitch`);
    return true;
  });

Given("somebody listens to the {word}", async function (this: Scene, track: "speaker" | "microphone") {
  await listen(this, track);
});

Given("somebody else listens to the {word}", async function (this: Scene, track: "speaker" | "microphone") {
  await listen(this, track);
});

Given("a daemon whose microphone hears a tone of {int} Hz", async function (this: Scene, hertz: number) {
  const microphone = join(this.dataDir, "microphone.wav");
  writeFileSync(microphone, wavFile(tone(hertz, 1, 44_100), 44_100, 2));
  await this.startDaemon({ microphone });
});

Given("somebody lends it a microphone that hears a tone of {int} Hz", async function (this: Scene, hertz: number) {
  const ear = await listen(this, null);
  ear.say({ type: "lend_microphone", on: true });
  const sound = tone(hertz, 1);
  let at = 0;
  // As a browser does: bit by bit, at the pace of time, a little ahead of it.
  lent = setInterval(() => {
    ear.play("microphone", sound.subarray(at, at + FRAME_SAMPLES));
    at = (at + FRAME_SAMPLES) % sound.length;
  }, 19);
});

Then("a tone of {int} Hz is heard", (hertz: number) => hears(first(), hertz));

Then("both hear a tone of {int} Hz", async (hertz: number) => {
  assert.equal(ears.length, 2);
  for (const ear of ears) await hears(ear, hertz);
});

Then("nothing of the {int} Hz is heard any more", async function (this: Scene, hertz: number) {
  first().forget();
  // Something else is played, so that there is something to hear that does not hold the tone.
  await this.request("POST", "/api/volume/test-sound");
  await within(5000, "half a second of the chime", () => first().samples.length >= ENOUGH);
  assert.ok(share(first().samples, hertz) < 0.05, "the tone is still there");
});

Then("a sound is heard", async () => {
  first().forget();
  await within(10_000, "a sound", () => first().samples.some((sample) => Math.abs(sample) > 500));
});

Then(
  "within {int} seconds {string} printed {string}",
  async function (this: Scene, seconds: number, app: string, text: string) {
    await within(seconds * 1000, `${app} printed ${text}`, async () => {
      const { lines } = await this.get<{ lines: { text: string }[] }>(`/api/apps/logs/${app}`);
      if (lines.some((line) => line.text.includes(text))) return true;
      throw new Error(JSON.stringify(lines.slice(-3).map((line) => line.text)));
    });
  },
);

Then(/^the microphone has (\d+) listeners?$/, async function (this: Scene, count: string) {
  await within(5000, `${count} listeners`, async () => {
    const { microphone } = await this.get<{ microphone: { listeners: number } }>("/api/audio/status");
    assert.equal(microphone.listeners, Number(count));
    return true;
  });
});

When("the robot is told to sleep", async function (this: Scene) {
  assert.equal((await this.request("POST", "/api/move/play/goto_sleep")).status, 200);
});

When("the robot is told to wake up", async function (this: Scene) {
  await within(10_000, "the robot sleeps", async () => {
    const { mode } = await this.get<{ mode: string }>("/api/motors/status");
    return mode === "disabled";
  });
  assert.equal((await this.request("POST", "/api/move/play/wake_up")).status, 200);
});

When("the volume is set to {int}", async function (this: Scene, volume: number) {
  assert.equal((await this.request("POST", "/api/volume/set", { volume })).status, 200);
});

When("the daemon is closed and started again", async function (this: Scene) {
  await this.daemon.close();
  await this.startDaemon();
});

Then("the volume is {int}", async function (this: Scene, volume: number) {
  assert.equal((await this.get<{ volume: number }>("/api/volume/current")).volume, volume);
});

When("a client sends {int} bytes to the audio socket", async function (this: Scene, count: number) {
  (await listen(this, null)).sendBytes(new Uint8Array(count));
});

Then("it is told {string}", async (text: string) => {
  const client = ears.at(-1);
  await within(5000, `"${text}"`, () => client?.told.some((said) => said.includes(text)));
});
