import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Picture } from "../../../robot/camera/picture.ts";
import { decodePicture } from "./codecs.ts";
import { createJpegEncoder } from "./encode-jpeg.ts";

let encodeJpeg: (picture: Picture) => Uint8Array;
beforeAll(async () => {
  encodeJpeg = await createJpegEncoder();
});

type ColourAt = (x: number, y: number) => readonly number[];

function pictureOf(width: number, height: number, colour: ColourAt): Picture {
  const rgba = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rgba.set([...colour(x, y), 255], 4 * (y * width + x));
  return { width, height, rgba };
}

/** The largest difference of a channel after encoding and after decoding with another library. */
function largestDifference(picture: Picture): number {
  const decoded = decodePicture(encodeJpeg(picture));
  expect([decoded.width, decoded.height]).toEqual([picture.width, picture.height]);
  return decoded.rgba.reduce((most, value, i) => Math.max(most, Math.abs(value - (picture.rgba[i] as number))), 0);
}

const size = fc.integer({ min: 32, max: 90 });
const channel = fc.integer({ min: 0, max: 255 });

describe("a JPEG is decoded to the picture that was encoded", () => {
  test("of one colour, in every size", () => {
    fc.assert(
      fc.property(size, size, channel, channel, channel, (width, height, ...colour) => {
        expect(largestDifference(pictureOf(width, height, () => colour))).toBeLessThanOrEqual(5);
      }),
    );
  });

  test("of smooth shades, in every size", () => {
    fc.assert(
      fc.property(size, size, fc.double({ min: 0, max: 2, noNaN: true }), (width, height, slope) => {
        const colour: ColourAt = (x, y) => [60 + slope * x, 250 - slope * y, 90 + slope * 20];
        expect(largestDifference(pictureOf(width, height, colour))).toBeLessThan(14);
      }),
    );
  });

  test("also after a larger one and before a smaller one", () => {
    const shades: ColourAt = (x, y) => [x & 255, y & 255, 90];
    for (const [width, height] of [
      [320, 180],
      [640, 360],
      [320, 180],
    ] as const)
      expect(largestDifference(pictureOf(width, height, (x, y) => shades(x >> 2, y >> 2)))).toBeLessThan(14);
  });

  test("of noise, which needs the most bytes", () => {
    const picture = pictureOf(320, 180, (x, y) => {
      const isWhite = (x * 73 + y * 151) % 7 > 3;
      return isWhite ? [255, 255, 255] : [0, 0, 0];
    });
    const decoded = decodePicture(encodeJpeg(picture));
    const wrong = decoded.rgba.filter((value, i) => Math.abs(value - (picture.rgba[i] as number)) > 127).length;
    expect(wrong).toBeLessThan(0.02 * picture.rgba.length);
  });
});

test("a JPEG keeps its bytes when the next one is encoded", () => {
  const first = encodeJpeg(pictureOf(64, 36, () => [200, 30, 30]));
  const copy = Uint8Array.from(first);
  encodeJpeg(pictureOf(64, 36, () => [30, 30, 200]));
  expect(first).toEqual(copy);
});
