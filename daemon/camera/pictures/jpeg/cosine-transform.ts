const SIZE = 8;
/** cos(k pi / 16) for k = 0 to 7, halved as the transform has it; the first divided by the root of two. */
const BASIS = Float32Array.from({ length: SIZE * SIZE }, (_, i) => {
  const [frequency, at] = [Math.floor(i / SIZE), i % SIZE];
  return 0.5 * (frequency === 0 ? Math.SQRT1_2 : 1) * Math.cos(((2 * at + 1) * frequency * Math.PI) / (2 * SIZE));
});
const half = new Float32Array(SIZE * SIZE);

/**
 * The cosine transform of a block of 8x8 (ITU T.81, A.3.3), in place: rows, then columns. Even frequencies see a row's sums
 * of opposite ends only, odd ones the differences, which halves the work.
 */
export function transform(block: Float32Array): void {
  pass(block, half);
  pass(half, block);
}

/** Transforms the rows of `from` into the columns of `to`; two passes transform both and turn the block back. */
function pass(from: Float32Array, to: Float32Array): void {
  for (let row = 0; row < SIZE; row += 1) {
    const at = row * SIZE;
    const [a, b, c, d] = [from[at] as number, from[at + 1] as number, from[at + 2] as number, from[at + 3] as number];
    const [h, g, f, e] = [
      from[at + 7] as number,
      from[at + 6] as number,
      from[at + 5] as number,
      from[at + 4] as number,
    ];
    for (let frequency = 0; frequency < SIZE; frequency += 1) {
      const k = frequency * SIZE;
      const sign = (frequency & 1) === 0 ? 1 : -1;
      to[frequency * SIZE + row] =
        (BASIS[k] as number) * (a + sign * h) +
        (BASIS[k + 1] as number) * (b + sign * g) +
        (BASIS[k + 2] as number) * (c + sign * f) +
        (BASIS[k + 3] as number) * (d + sign * e);
    }
  }
}
