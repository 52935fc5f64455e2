const COLOURS = ["#e2603a", "#2f7fc4", "#3a9b63", "#d6a21f", "#8a63c9", "#c94f86"] as const;

/** The colour of an object as #rrggbb, chosen by its name: the same on the table, in lists and in the camera's picture. */
export function colourOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (31 * sum + (letter.codePointAt(0) ?? 0)) % 65_521;
  return COLOURS[sum % COLOURS.length] as string;
}
