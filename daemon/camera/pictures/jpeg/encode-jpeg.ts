import type { Picture } from "../picture.ts";
import { BitWriter } from "./bit-writer.ts";
import { transform } from "./cosine-transform.ts";
import {
  AC_TABLE,
  CHROMINANCE_STEPS,
  codesOf,
  DC_TABLE,
  type HuffmanTable,
  LUMINANCE_STEPS,
  ZIGZAG,
} from "./tables.ts";

/** 1 to 100: no visible blocks, at half the size of 95. */
const QUALITY = 82;
/** Side in pixels of a minimum coded unit: four blocks of luminance and one of each chrominance component. */
const UNIT = 16;
const BLOCK = 8;

const scaledSteps = (atFifty: readonly number[]): Uint8Array =>
  Uint8Array.from(atFifty, (step) => Math.min(255, Math.max(1, Math.round((step * (200 - 2 * QUALITY)) / 100))));
const LUMINANCE = scaledSteps(LUMINANCE_STEPS);
const CHROMINANCE = scaledSteps(CHROMINANCE_STEPS);
const DC_CODES = codesOf(DC_TABLE);
const AC_CODES = codesOf(AC_TABLE);

/** One component of a picture, 0 to 255, in whole blocks: pixels beyond the picture repeat its last ones. */
interface Plane {
  readonly values: Uint8Array;
  readonly width: number;
}

/**
 * Encodes a picture as JPEG (baseline, 4:2:0). Several times faster than `jpeg-js` for drawn pictures, whose many blocks of
 * one colour need no transform.
 */
export function encodeJpeg(picture: Picture): Uint8Array {
  const out = new BitWriter();
  writeHeader(out, picture);
  const [luminance, blue, red] = planesOf(picture);
  const dc = [0, 0, 0];
  const encode = (plane: Plane, component: number, x: number, y: number) => {
    dc[component] = writeBlock(out, plane, x, y, component === 0 ? LUMINANCE : CHROMINANCE, dc[component] as number);
  };
  const rows = luminance.values.length / luminance.width;
  for (let y = 0; y < rows; y += UNIT) {
    for (let x = 0; x < luminance.width; x += UNIT) {
      for (const [dx, dy] of [
        [0, 0],
        [BLOCK, 0],
        [0, BLOCK],
        [BLOCK, BLOCK],
      ] as const)
        encode(luminance, 0, x + dx, y + dy);
      encode(blue, 1, x / 2, y / 2);
      encode(red, 2, x / 2, y / 2);
    }
  }
  out.endBits();
  out.bytes([0xff, 0xd9]);
  return out.take();
}

/** Luminance (Y), and the blue and red chrominance (Cb, Cr) at half the width and height. */
function planesOf({ width, height, rgba }: Picture): [Plane, Plane, Plane] {
  const [fullWidth, fullHeight] = [Math.ceil(width / UNIT) * UNIT, Math.ceil(height / UNIT) * UNIT];
  const luminance = new Uint8Array(fullWidth * fullHeight);
  const blue = new Uint8Array((fullWidth * fullHeight) / 4);
  const red = new Uint8Array((fullWidth * fullHeight) / 4);
  for (let y = 0; y < fullHeight; y += 2) {
    for (let x = 0; x < fullWidth; x += 2) {
      let [r, g, b] = [0, 0, 0];
      for (let i = 0; i < 4; i += 1) {
        const [atX, atY] = [x + (i & 1), y + (i >> 1)];
        const at = 4 * (Math.min(atY, height - 1) * width + Math.min(atX, width - 1));
        const [pixelR, pixelG, pixelB] = [rgba[at] as number, rgba[at + 1] as number, rgba[at + 2] as number];
        luminance[atY * fullWidth + atX] = 0.299 * pixelR + 0.587 * pixelG + 0.114 * pixelB + 0.5;
        r += pixelR;
        g += pixelG;
        b += pixelB;
      }
      const at = (y / 2) * (fullWidth / 2) + x / 2;
      blue[at] = Math.min(255, (-0.168736 * r - 0.331264 * g + 0.5 * b) / 4 + 128.5);
      red[at] = Math.min(255, (0.5 * r - 0.418688 * g - 0.081312 * b) / 4 + 128.5);
    }
  }
  const half = fullWidth / 2;
  return [
    { values: luminance, width: fullWidth },
    { values: blue, width: half },
    { values: red, width: half },
  ];
}

const block = new Float32Array(BLOCK * BLOCK);

/**
 * Writes a block.
 * @param previousDc quantised DC coefficient of the previous block of the component
 * @returns the quantised DC coefficient of this block
 */
function writeBlock(out: BitWriter, plane: Plane, x: number, y: number, steps: Uint8Array, previousDc: number): number {
  const isFlat = readBlock(plane, x, y);
  if (isFlat) block[0] = 8 * (block[0] as number);
  else transform(block);
  const dc = Math.round((block[0] as number) / (steps[0] as number));
  writeNumber(out, DC_CODES, 0, dc - previousDc);
  if (!isFlat) writeAcCoefficients(out, steps);
  else writeCode(out, AC_CODES, 0);
  return dc;
}

/** Reads a block, less 128, so that its values are around zero. @returns whether all its values are equal */
function readBlock({ values, width }: Plane, x: number, y: number): boolean {
  const first = values[y * width + x] as number;
  let isFlat = true;
  for (let row = 0; row < BLOCK; row += 1) {
    const at = (y + row) * width + x;
    for (let column = 0; column < BLOCK; column += 1) {
      const value = values[at + column] as number;
      if (value !== first) isFlat = false;
      block[row * BLOCK + column] = value - 128;
    }
  }
  return isFlat;
}

function writeAcCoefficients(out: BitWriter, steps: Uint8Array): void {
  let zeros = 0;
  for (let i = 1; i < ZIGZAG.length; i += 1) {
    const at = ZIGZAG[i] as number;
    const value = Math.round((block[at] as number) / (steps[at] as number));
    if (value === 0) {
      zeros += 1;
      continue;
    }
    for (; zeros > 15; zeros -= 16) writeCode(out, AC_CODES, 0xf0);
    writeNumber(out, AC_CODES, zeros << 4, value);
    zeros = 0;
  }
  if (zeros > 0) writeCode(out, AC_CODES, 0);
}

type Codes = ReturnType<typeof codesOf>;

const writeCode = (out: BitWriter, { codes, lengths }: Codes, symbol: number): void =>
  out.bits(codes[symbol] as number, lengths[symbol] as number);

/** Writes the number of bits of a value, in a symbol with `prefix`, and its bits; negative values are one less. */
function writeNumber(out: BitWriter, codes: Codes, prefix: number, value: number): void {
  const size = value === 0 ? 0 : 32 - Math.clz32(Math.abs(value));
  writeCode(out, codes, prefix | size);
  if (size > 0) out.bits((value < 0 ? value - 1 : value) & ((1 << size) - 1), size);
}

function writeHeader(out: BitWriter, { width, height }: Picture): void {
  const segment = (marker: number, content: readonly number[]) => {
    const length = content.length + 2;
    out.bytes([0xff, marker, length >> 8, length & 0xff, ...content]);
  };
  const huffman = (id: number, { counts, symbols }: HuffmanTable) => segment(0xc4, [id, ...counts, ...symbols]);
  out.bytes([0xff, 0xd8]);
  segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);
  segment(0xdb, [0, ...Array.from(ZIGZAG, (at) => LUMINANCE[at] as number)]);
  segment(0xdb, [1, ...Array.from(ZIGZAG, (at) => CHROMINANCE[at] as number)]);
  // Three components with eight bits; luminance has twice the width and height of the others.
  segment(0xc0, [8, height >> 8, height & 0xff, width >> 8, width & 0xff, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
  huffman(0x00, DC_TABLE);
  huffman(0x10, AC_TABLE);
  segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]);
}
