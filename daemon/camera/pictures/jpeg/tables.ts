/*
 * Tables of JPEG (ITU T.81, annex K). The Huffman tables are those for luminance; chrominance uses them too, which makes
 * pictures a few per cent larger and the encoder simpler.
 */

/** Order in which the coefficients of a block are written: the index of each, 8 times its row plus its column. */
// biome-ignore format: eight rows of eight
export const ZIGZAG = Uint8Array.of(
  0, 1, 8, 16, 9, 2, 3, 10,
  17, 24, 32, 25, 18, 11, 4, 5,
  12, 19, 26, 33, 40, 48, 41, 34,
  27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36,
  29, 22, 15, 23, 30, 37, 44, 51,
  58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
);

/** Quantisation steps of the luminance coefficients at quality 50, row by row. */
// biome-ignore format: eight rows of eight
export const LUMINANCE_STEPS = [
  16, 11, 10, 16, 24, 40, 51, 61,
  12, 12, 14, 19, 26, 58, 60, 55,
  14, 13, 16, 24, 40, 57, 69, 56,
  14, 17, 22, 29, 51, 87, 80, 62,
  18, 22, 37, 56, 68, 109, 103, 77,
  24, 35, 55, 64, 81, 104, 113, 92,
  49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
];

/** Quantisation steps of the chrominance coefficients at quality 50, row by row. */
// biome-ignore format: eight rows of eight
export const CHROMINANCE_STEPS = [
  17, 18, 24, 47, 99, 99, 99, 99,
  18, 21, 26, 66, 99, 99, 99, 99,
  24, 26, 56, 99, 99, 99, 99, 99,
  47, 66, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
];

/** A Huffman table: how many codes there are of each length from 1 to 16, and their symbols in order. */
export interface HuffmanTable {
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

/** For DC coefficients. Symbols: the number of bits of the difference from the previous block. */
export const DC_TABLE: HuffmanTable = {
  counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
  symbols: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
};

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** For AC coefficients. Symbols: 16 times the number of zeros before a coefficient, plus the number of its bits. */
export const AC_TABLE: HuffmanTable = {
  counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
  symbols: [
    ...[0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71],
    ...[0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72],
    ...[0x82, 0x09, 0x0a, ...range(0x16, 0x1a), ...range(0x25, 0x2a), ...range(0x34, 0x3a)],
    ...[0x43, 0x53, 0x63, 0x73].flatMap((first) => range(first, first + 7)),
    ...range(0x83, 0x8a),
    ...[0x92, 0xa2, 0xb2, 0xc2, 0xd2].flatMap((first) => range(first, first + 8)),
    ...range(0xe1, 0xea),
    ...range(0xf1, 0xfa),
  ],
};

/** Code and length in bits of each symbol (canonical Huffman codes: ITU T.81, annex C). */
export function codesOf({ counts, symbols }: HuffmanTable): { codes: Uint16Array; lengths: Uint8Array } {
  const codes = new Uint16Array(256);
  const lengths = new Uint8Array(256);
  let code = 0;
  let next = 0;
  counts.forEach((count, i) => {
    for (let k = 0; k < count; k += 1) {
      const symbol = symbols[next] as number;
      codes[symbol] = code;
      lengths[symbol] = i + 1;
      code += 1;
      next += 1;
    }
    code *= 2;
  });
  return { codes, lengths };
}
