/** What ends the lines of a text: "\r\n" only where nothing else does, so that a text with mixed line ends comes out as it went in. */
export const lineSeparatorOf = (text: string): "\r\n" | "\n" =>
  /\r\n/.test(text) && !/[^\r]\n|^\n|\r(?!\n)/.test(text) ? "\r\n" : "\n";

/** A text from elsewhere with the line ends of the text that it is put into. */
export const withLineEnds = (text: string, separator: string): string => text.replace(/\r\n?|\n/g, separator);

/**
 * The smallest replacement that turns one text into another, so that a cursor outside of it stays where it is.
 * @param separator ends the lines of both texts
 * @returns offsets in `before`, in which a line end counts as one character, and the text to insert between them
 */
export function changeBetween(before: string, after: string, separator: string) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  // The replacement neither begins nor ends between \r and \n.
  if (separator.length > 1 && before[start - 1] === "\r") start -= 1;
  if (separator.length > 1 && end > 0 && before[before.length - end] === "\n") end -= 1;
  const offsetOf = (at: number): number =>
    separator.length === 1 ? at : at - (before.slice(0, at).split(separator).length - 1);
  return {
    from: offsetOf(start),
    to: offsetOf(before.length - end),
    insert: after.slice(start, after.length - end),
  };
}
