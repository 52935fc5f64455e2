/**
 * The three editing formats (spec 10): `wf` whole file, `lc` locate and change, `sr` search and replace.
 * Only `lc` knows a range convention, see `Convention`.
 */
export const FORMATS = ["wf", "lc", "sr"] as const;
export type Format = (typeof FORMATS)[number];

/**
 * How an LC range `s,e` counts. `inclusive`, the written contract: lines s to e, 1-based, are replaced. `slice`, how
 * the published models were trained: displayed lines s+1 to e are replaced, `s,s` inserts after line s, `0,0` is the top.
 */
export const CONVENTIONS = ["inclusive", "slice"] as const;
export type Convention = (typeof CONVENTIONS)[number];
