/** What the daemon takes from a hub. Bytes are counted as they come, after decompression. */
export const HUB_BOUNDS = {
  /** Bytes of the description of one space, data set or user. */
  infoBytes: 1_000_000,
  /** Bytes of one page of a list, which is parsed at once. */
  pageBytes: 4_000_000,
  /** Pages of a list. */
  pages: 100,
  /** Spaces of a list. */
  spaces: 10_000,
  /** Files of a space or a data set. */
  files: 20_000,
  /** Bytes of all files of an app. */
  appBytes: 2_000_000_000,
  /** Milliseconds for a description or a page. */
  answerMs: 20_000,
  /** Milliseconds for a file. */
  fileMs: 10 * 60_000,
  /** Milliseconds for all files of an app. */
  appMs: 60 * 60_000,
  /** Milliseconds without a byte of a file. */
  stallMs: 30_000,
} as const;
export type HubBounds = { readonly [K in keyof typeof HUB_BOUNDS]: number };
