import fc from "fast-check";
import jpeg from "jpeg-js";
import { expect, test } from "vitest";
import type { Picture } from "../picture.ts";
import { encodeJpeg } from "./encode-jpeg.ts";
import { AC_TABLE, DC_TABLE } from "./tables.ts";

/** Decoded by a library. */
const decoded = (picture: Picture) => jpeg.decode(encodeJpeg(picture), { useTArray: true });
const pictureOf = (width: number, height: number, colour: (x: number, y: number) => readonly number[]): Picture => {
  const rgba = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rgba.set([...colour(x, y), 255], 4 * (y * width + x));
  return { width, height, rgba };
};
const channels = (picture: { data: Uint8Array } | Picture) =>
  ("data" in picture ? picture.data : picture.rgba).filter((_, i) => i % 4 !== 3);
/** The largest difference of two lists of values. */
const difference = (a: Uint8Array, wanted: (i: number) => number) =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - wanted(i))), 0);
const size = fc.integer({ min: 1, max: 70 });
const channel = fc.integer({ min: 0, max: 255 });

test("the tables have as many symbols as codes, each once", () => {
  for (const { counts, symbols } of [DC_TABLE, AC_TABLE]) {
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(symbols.length);
    expect(new Set(symbols).size).toBe(symbols.length);
  }
  // Every number of zeros and bits, the end of a block, and sixteen zeros.
  expect(AC_TABLE.symbols).toHaveLength(16 * 10 + 2);
});

test("a picture of one colour keeps it, in every size", () => {
  fc.assert(
    fc.property(size, size, channel, channel, channel, (width, height, ...colour) => {
      const result = decoded(pictureOf(width, height, () => colour));
      expect([result.width, result.height]).toEqual([width, height]);
      expect(difference(channels(result), (i) => colour[i % 3] as number)).toBeLessThanOrEqual(5);
    }),
  );
});

test("a picture of smooth shades differs by little, in every size", () => {
  fc.assert(
    fc.property(size, size, fc.double({ min: 0, max: 3, noNaN: true }), (width, height, slope) => {
      const picture = pictureOf(width, height, (x, y) => [
        60 + slope * x * 0.9,
        200 - slope * y * 0.9,
        90 + slope * 20,
      ]);
      const wanted = channels(picture);
      expect(difference(channels(decoded(picture)), (i) => wanted[i] as number)).toBeLessThan(14);
    }),
  );
});

test("noise of black and white is decoded without a fault, and looks like itself", () => {
  fc.assert(
    fc.property(size, size, fc.integer({ min: 1, max: 1e6 }), (width, height, seed) => {
      const isWhite = (x: number, y: number) => ((x * 73 + y * 151) * seed) % 7 > 3;
      const picture = pictureOf(width, height, (x, y) => (isWhite(x, y) ? [255, 255, 255] : [0, 0, 0]));
      const result = decoded(picture);
      const wanted = channels(picture);
      const wrong = channels(result).filter((value, i) => Math.abs(value - (wanted[i] as number)) > 127).length;
      expect(wrong).toBeLessThan(0.02 * wanted.length + 1);
    }),
  );
});
