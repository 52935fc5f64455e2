import { Refused } from "../../refusal.ts";
import type { ParsedEdit } from "../edit.ts";

/** Characters of an edit that a refusal shows. */
const MAX_SHOWN = 300;
const ASK = "Ask again for one edit, and nothing but an explanation after it.";

/**
 * The edit that an answer with several complete edits means: the last one, when nothing is said between them and it replaces
 * the others. null stands for an edit that changes nothing.
 * @throws Refused `ambiguous`, with both edits
 */
export function lastEdit<T extends ParsedEdit | null>(
  edits: readonly [T, ...T[]],
  texts: readonly string[],
  isInterrupted: boolean,
): T {
  const last = edits.at(-1) as T;
  for (const [index, each] of edits.entries()) {
    if (texts[index] === texts.at(-1) || (!isInterrupted && replaces(last, each))) continue;
    throw twoEdits(texts[index] ?? "", texts.at(-1) ?? "");
  }
  return last;
}

/** The refusal of two edits of which either could be meant. */
export function twoEdits(one: string, other: string): Refused {
  const [first, second] = [one, other].map((text) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text));
  return new Refused("ambiguous", `The answer has two edits. The first:\n${first}\nThe second:\n${second}\n`, ASK);
}

/** Whether an edit changes all places that another one changes. */
function replaces(later: ParsedEdit | null, earlier: ParsedEdit | null): boolean {
  if (later === null || earlier === null) return true;
  const places = new Set(placesOf(later));
  return placesOf(earlier).every((place) => places.has(place));
}

function placesOf(edit: ParsedEdit): string[] {
  if (edit.format === "wf") return ["whole"];
  return edit.edits.map((each) => ("search" in each ? each.search.join("\n") : `${each.start},${each.end}`));
}
