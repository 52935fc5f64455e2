import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { sharedTemporaryFolder } from "../../common/testing/temporary-folder.ts";
import { wavFile } from "../../daemon/audio/capture/wav.ts";
import { pitchShare, tone } from "../../daemon/audio/testing/tones.ts";
import { browserPath, openBrowser } from "../../daemon/http/testing/browser.ts";
import { startTestDaemon, type TestDaemon } from "../../daemon/http/testing/test-daemon.ts";
import { decodeAudio, SAMPLE_RATE } from "../../robot/wire/audio/audio-frames.ts";

const why = browserPath ? "" : " (left out: no Chromium here; apt install chromium, or set CHROMIUM=/path)";

describe.skipIf(browserPath === undefined)(`the dashboard's sound in a real browser${why}`, () => {
  const folder = sharedTemporaryFolder("sound-");
  let [browser, page, daemon] = [{} as Browser, {} as Page, {} as TestDaemon];
  beforeAll(async () => {
    const recording = join(folder, "tone.wav");
    writeFileSync(recording, wavFile(tone(700, 2, 48_000), 48_000, 2));
    [browser, daemon] = await Promise.all([
      openBrowser(browserPath ?? "", [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        `--use-file-for-fake-audio-capture=${recording}`,
      ]),
      startTestDaemon([]),
    ]);
    // Small, because it draws the robot without a graphics card.
    page = await (await browser.newContext({ viewport: { width: 480, height: 320 } })).newPage();
    await page.goto(daemon.url);
    await page.getByRole("button", { name: "Speak", exact: true }).waitFor({ timeout: DEADLINE_MS });
  });
  afterAll(async () => {
    await browser.close();
    await daemon.close();
  });
  // Without the mouse: its way waits until nothing on the page moves any more.
  const press = (name: string) => page.getByRole("button", { name, exact: true }).dispatchEvent("click");

  test("its microphone, lent to the robot, is heard there at its pitch", async () => {
    await press("Speak");
    await page.getByRole("button", { name: "Speaking", exact: true }).waitFor();
    const heard: number[] = [];
    const socket = new WebSocket(`${daemon.url.replace("http", "ws")}/ws/audio`);
    socket.on("open", () => socket.send('{"type":"listen","track":"microphone","on":true}'));
    socket.on("message", (data: Buffer, isBinary) => isBinary && heard.push(...decodeAudio(data).samples));
    const best = () => pitchShare(heard.slice(-SAMPLE_RATE / 4), 700);
    await expect.poll(() => heard.length > SAMPLE_RATE && best()).toBeGreaterThan(0.8);
    expect(await page.getByText("An app records your microphone").count()).toBe(1);
    socket.terminate();
    await press("Speaking");
    await page.getByText("No app records").waitFor();
  });

  test("it shows how loud the robot is, and turns it down", async () => {
    await press("Listen");
    await page.getByRole("button", { name: "Listening", exact: true }).waitFor();
    const meter = async () => {
      const style = await page.locator(".meter i").getAttribute("style");
      return Number(/scale: ([\d.]+)/.exec(style ?? "")?.[1] ?? 0);
    };
    await press("Play a test sound");
    await expect.poll(meter).toBeGreaterThan(0.2);
    await page.getByLabel("Volume of the robot's speaker").fill("25");
    await expect.poll(() => daemon.json("/api/volume/current")).toMatchObject({ volume: 25 });
  });
});
