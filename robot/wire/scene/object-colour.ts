import type { SceneObject } from "./hand-act.ts";

const COLOURS = ["#e2603a", "#2f7fc4", "#3a9b63", "#d6a21f", "#8a63c9", "#c94f86"] as const;

/** The colour of an object as #rrggbb: its own, or one chosen by its name. */
export function colourOf({ name, color }: Pick<SceneObject, "name" | "color">): string {
  if (color !== undefined) return color;
  let sum = 0;
  for (const letter of name) sum = (31 * sum + (letter.codePointAt(0) ?? 0)) % 65_521;
  return COLOURS[sum % COLOURS.length] as string;
}
