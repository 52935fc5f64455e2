/** A source of numbers in [0, 1) whose state can be saved and restored. */
export interface SeededRandom {
  (): number;
  save(): number;
  restore(state: number): void;
}

/** A reproducible source of numbers in [0, 1) (mulberry32). The same seed gives the same numbers on every machine. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const restore = (saved: number) => {
    state = saved;
  };
  return Object.assign(next, { save: () => state, restore });
}
