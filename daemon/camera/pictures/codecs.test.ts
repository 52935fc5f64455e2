import fc from "fast-check";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import type { Picture } from "../../../robot/camera/picture.ts";
import { decodePicture, encodeNpy, fitPicture } from "./codecs.ts";

function pictureOf(width: number, height: number, colour: (u: number, v: number) => readonly number[]): Picture {
  const rgba = new Uint8Array(4 * width * height);
  for (let v = 0; v < height; v += 1)
    for (let u = 0; u < width; u += 1) rgba.set([...colour(u, v), 255], 4 * (v * width + u));
  return { width, height, rgba };
}
const colourAt = ({ rgba, width }: Picture, u: number, v: number) => [
  ...rgba.subarray(4 * (v * width + u)).subarray(0, 3),
];
const size = fc.integer({ min: 1, max: 40 });

test("a PNG is decoded exactly", () => {
  fc.assert(
    fc.property(size, size, fc.integer(), (width, height, seed) => {
      const picture = pictureOf(width, height, (u, v) => [(u * seed) & 255, (v * 7) & 255, (u + v) & 255]);
      const png = new PNG({ width, height });
      png.data = Buffer.from(picture.rgba);
      expect(decodePicture(PNG.sync.write(png))).toMatchObject({ width, height });
      expect(Buffer.compare(decodePicture(PNG.sync.write(png)).rgba, picture.rgba)).toBe(0);
    }),
  );
});

test("an array of NumPy has an aligned header, the shape, and blue, green, red", () => {
  fc.assert(
    fc.property(size, size, (width, height) => {
      const bytes = Buffer.from(encodeNpy(pictureOf(width, height, (u, v) => [u, v, 7])));
      expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x93NUMPY\x01\x00");
      const start = 10 + bytes.readUInt16LE(8);
      expect(start % 64).toBe(0);
      expect(bytes.subarray(10, start).toString()).toContain(`'shape': (${height}, ${width}, 3)`);
      expect(bytes.length - start).toBe(3 * width * height);
      expect([...bytes.subarray(bytes.length - 3)]).toEqual([7, height - 1, width - 1]);
    }),
  );
});

test("a picture is fitted whole into another size, with black beside it", () => {
  const fitted = fitPicture(
    pictureOf(100, 100, () => [200, 100, 50]),
    64,
    36,
  );
  expect([fitted.width, fitted.height]).toEqual([64, 36]);
  expect(colourAt(fitted, 32, 18)).toEqual([200, 100, 50]);
  expect(colourAt(fitted, 14, 0)).toEqual([200, 100, 50]);
  expect(colourAt(fitted, 5, 18)).toEqual([0, 0, 0]);
});

test("fitting keeps one colour one colour, larger or smaller", () => {
  fc.assert(
    fc.property(size, size, size, size, (width, height, toWidth, toHeight) => {
      const { rgba } = fitPicture(
        pictureOf(width, height, () => [9, 8, 7]),
        toWidth,
        toHeight,
      );
      expect(rgba.every((value, at) => at % 4 !== 0 || value === 0 || value === 9)).toBe(true);
    }),
  );
});

test("damaged data is an error, whatever the damage", () => {
  const whole = jpeg.encode({ width: 16, height: 16, data: pictureOf(16, 16, (u, v) => [u, v, 0]).rgba }).data;
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => decodePicture(bytes)).toThrow();
    }),
  );
  expect(() => decodePicture(whole.subarray(0, 100))).toThrow();
});
