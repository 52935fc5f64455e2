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

/** The format of a model's answers by the suffix of its name: `-LC`, `-SR`, or none for whole files. */
export function formatOfModel(model: string): Format {
  const suffix = /-(LC|SR)(?=$|[-:.@/])/i.exec(model)?.[1];
  return suffix === undefined ? "wf" : (suffix.toLowerCase() as Format);
}

/** Whether a model was trained for these formats, by its name; a model of another name may have been, too. */
export const isTrainedByName = (model: string): boolean => /cursorcore/i.test(model) || formatOfModel(model) !== "wf";

/** The convention of a model's ranges: `slice` for the published family, which was trained so, else `inclusive`. */
export function conventionOfModel(model: string): Convention {
  return /cursorcore/i.test(model) ? "slice" : "inclusive";
}
