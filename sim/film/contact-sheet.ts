import type { Picture } from "../../robot/camera/picture.ts";

/** Rows of three dots, from the left. */
const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  "0": ["###", "# #", "# #", "# #", "###"],
  "1": [" # ", "## ", " # ", " # ", "###"],
  "2": ["###", "  #", "###", "#  ", "###"],
  "3": ["###", "  #", " ##", "  #", "###"],
  "4": ["# #", "# #", "###", "  #", "  #"],
  "5": ["###", "#  ", "###", "  #", "###"],
  "6": ["###", "#  ", "###", "# #", "###"],
  "7": ["###", "  #", " # ", " # ", " # "],
  "8": ["###", "# #", "###", "# #", "###"],
  "9": ["###", "# #", "###", "  #", "###"],
  ".": ["   ", "   ", "   ", "   ", " # "],
  s: ["   ", " ##", " # ", "  #", " ##"],
  " ": ["   ", "   ", "   ", "   ", "   "],
};
const GLYPH_WIDTH = 4;
/** Pixels of the sheet for each one of the font, and from a picture's corner to its label. */
const DOT = 3;
const MARGIN = 8;
const INK = [40, 40, 40] as const;

/**
 * Puts pictures of one size into rows, each with its time.
 * @param pictures at least one, each with its time in seconds
 * @param columns pictures in a row
 */
export function contactSheet(pictures: readonly { picture: Picture; seconds: number }[], columns: number): Picture {
  const { width, height } = (pictures[0] as (typeof pictures)[number]).picture;
  const across = Math.min(columns, pictures.length);
  const sheetWidth = across * width;
  const sheetHeight = Math.ceil(pictures.length / across) * height;
  const rgba = new Uint8Array(4 * sheetWidth * sheetHeight).fill(255);
  pictures.forEach(({ picture, seconds }, number) => {
    const [left, top] = [(number % across) * width, Math.floor(number / across) * height];
    for (let row = 0; row < height; row += 1)
      rgba.set(picture.rgba.subarray(4 * row * width, 4 * (row + 1) * width), 4 * ((top + row) * sheetWidth + left));
    write(`${seconds.toFixed(2)} s`, left + MARGIN, top + MARGIN);
  });

  function write(text: string, left: number, top: number): void {
    [...text].forEach((letter, number) => {
      (GLYPHS[letter] ?? []).forEach((line, row) => {
        [...line].forEach((dot, column) => {
          if (dot === "#") fill(left + DOT * (number * GLYPH_WIDTH + column), top + DOT * row);
        });
      });
    });
  }

  function fill(left: number, top: number): void {
    for (let row = top; row < top + DOT; row += 1)
      for (let column = left; column < left + DOT; column += 1) rgba.set(INK, 4 * (row * sheetWidth + column));
  }

  return { width: sheetWidth, height: sheetHeight, rgba };
}
