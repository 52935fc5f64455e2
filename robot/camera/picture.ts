/** A picture: red, green, blue and an unused byte for each pixel, from the top left, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}
