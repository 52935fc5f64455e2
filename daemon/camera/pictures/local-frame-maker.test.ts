import { utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { sharedTemporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { decodePicture } from "./codecs.ts";
import type { FrameContent } from "./frame.ts";
import { LocalFrameMaker } from "./local-frame-maker.ts";

const folder = sharedTemporaryFolder("frames-");

/** Writes a PNG file of one colour. @param colour red, green, blue from 0 to 255 */
async function writePng(name: string, colour: readonly [number, number, number]): Promise<FrameContent> {
  const png = new PNG({ width: 160, height: 90 });
  png.data.fill(Buffer.from([...colour, 255]));
  await writeFile(path.join(folder, name), PNG.sync.write(png));
  return { kind: "file", path: path.join(folder, name) };
}
const maker = new LocalFrameMaker(() => {
  throw new Error("these tests draw no scenes");
});

test("makes a picture in several formats and returns them in the order of the request", async () => {
  const content = await writePng("blue.png", [20, 60, 200]);
  const [small, array, large] = await maker.make(content, [
    { type: "jpeg", width: 320 },
    { type: "npy", width: 320 },
    { type: "jpeg", width: 640 },
  ]);
  for (const [bytes, width, height] of [
    [small, 320, 180],
    [large, 640, 360],
  ] as const) {
    const decoded = decodePicture(bytes as Uint8Array);
    expect([decoded.width, decoded.height]).toEqual([width, height]);
    [20, 60, 200].forEach((value, channel) => {
      expect(Math.abs((decoded.rgba[channel] as number) - value)).toBeLessThanOrEqual(5);
    });
  }
  expect([...(array as Uint8Array).subarray(-3)]).toEqual([200, 60, 20]);
});

test("reads a file again when it has changed, although the last one is cached", async () => {
  const npy = { type: "npy", width: 320 } as const;
  /** Blue, green, red of the last pixel. */
  const lastPixel = async (content: FrameContent) => [
    ...((await maker.make(content, [npy]))[0] as Uint8Array).slice(-3),
  ];
  expect(await lastPixel(await writePng("a.png", [1, 2, 3]))).toEqual([3, 2, 1]);
  const changed = await writePng("a.png", [4, 5, 6]);
  // The size is the same, so the time of the change must differ.
  await utimes((changed as { path: string }).path, 1, 1);
  expect(await lastPixel(changed)).toEqual([6, 5, 4]);
  expect(await lastPixel(changed)).toEqual([6, 5, 4]);
});

test.each([
  ["missing.png", /no picture: ENOENT/],
  [
    "broken.jpg",
    /no picture: \/.*broken\.jpg is not a complete JPEG or PNG file \(SOI not found\); check the program that writes it/,
  ],
])("rejects with the reason why %s cannot be shown", async (name, reason) => {
  await writeFile(path.join(folder, "broken.jpg"), "not a picture");
  const content: FrameContent = { kind: "file", path: path.join(folder, name) };
  await expect(maker.make(content, [{ type: "jpeg", width: 320 }])).rejects.toMatchObject({
    code: "camera-unavailable",
    message: expect.stringMatching(reason),
  });
});
