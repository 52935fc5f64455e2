import { seededRandom } from "../../../common/seeded-random.ts";

/** Choices that one seed decides. */
export interface Random {
  /** A whole number from 0 to below `count`. */
  below(count: number): number;
  pick<T>(values: readonly T[]): T;
  /** True in one of `count` cases. */
  oneIn(count: number): boolean;
}

export function randomOf(seed: number): Random {
  const next = seededRandom(seed);
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    pick: <T>(values: readonly T[]) => values[below(values.length)] as T,
    oneIn: (count) => below(count) === 0,
  };
}
