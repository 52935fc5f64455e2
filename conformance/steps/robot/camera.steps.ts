import assert from "node:assert/strict";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PNG } from "pngjs";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { decodePicture } from "../../../daemon/camera/pictures/codecs.ts";
import { Given, Then, When } from "../support/define-steps.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

const COLOURS: Record<string, readonly [number, number, number]> = { red: [200, 30, 30], blue: [30, 30, 200] };

const file = (world: ScenarioWorld): string => join(world.dataDir, "webcam.png");

/** As `ffmpeg -update 1 -atomic_writing 1` does it: the new picture takes the place of the last one. */
async function writePicture(world: ScenarioWorld, colour: string, part = 1): Promise<void> {
  const png = new PNG({ width: 160, height: 90 });
  png.data.fill(Buffer.from([...(COLOURS[colour] ?? assert.fail(colour)), 255]));
  const bytes = PNG.sync.write(png);
  await writeFile(`${file(world)}.new`, bytes.subarray(0, part * bytes.length));
  await rename(`${file(world)}.new`, file(world));
}

const askForPicture = (world: ScenarioWorld) => fetch(`${world.daemon.url}/api/camera/frame?width=320`);

Given("a daemon whose camera is a file that a webcam writes", async function () {
  await writePicture(this, "red");
  await this.startDaemon({ camera: file(this) });
  await waitFor(DEADLINE_MS, "the robot is awake", async () => {
    return (await this.get<{ mode: string }>("/api/motors/status")).mode === "enabled";
  });
});

When("the webcam writes a {string} picture", async function (colour: string) {
  await writePicture(this, colour);
});

When("the webcam writes half a picture", async function () {
  await writePicture(this, "blue", 0.5);
});

Then("the camera shows a {string} picture", async function (colour: string) {
  const answer = await askForPicture(this);
  assert.equal(answer.status, 200);
  const { width, rgba } = decodePicture(new Uint8Array(await answer.arrayBuffer()));
  const middle = [...rgba.subarray(4 * (90 * width + 160))].slice(0, 3);
  const off = middle.map((value, channel) => Math.abs(value - (COLOURS[colour]?.[channel] ?? 0)));
  assert.ok(Math.max(...off) < 30, `the colour in the middle is ${middle}`);
});

Then("the camera answers with {string} and names the file", async function (code: string) {
  const problem = (await (await askForPicture(this)).json()) as { code: string; detail: string };
  assert.equal(problem.code, code, JSON.stringify(problem));
  assert.ok(problem.detail.includes(file(this)), problem.detail);
});
