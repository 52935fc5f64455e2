import { Refused } from "../../refusal.ts";
import { comparable, LOST, nameOf, withLost } from "../../text/look-alikes.ts";
import type { LineEdit, LineEdits } from "./line-edits.ts";

/** Characters of a line that a refusal quotes. */
const MAX_QUOTE = 80;

/**
 * Writes the lines that an answer only repeats as the file has them, where they differ in characters that look alike, were lost, or
 * in a "\r" at their end. An edit that changes nothing else is meant so, unless it is a whole file.
 * @param file the lines of the file, without their ends
 * @throws Refused `malformed` for a new line with a character that the answer writes for another one, or with one that was lost
 */
export function restoreRepeatedLines(file: readonly string[], edits: readonly LineEdit[], isWhole: boolean): LineEdits {
  if (edits.every(({ lines }) => lines.every((line) => PLAIN.test(line)))) return { edits: [...edits], notes: [] };
  const restore = restorer(file);
  const written = new Map<string, string>();
  const places: string[] = [];
  const restored = edits.map((edit) => {
    const lines = edit.lines.map(restore);
    const [old, now] = [file.slice(edit.start, edit.end).join("\n"), lines.join("\n")];
    if (!isWhole && now === old) return edit;
    for (const [at, line] of lines.entries()) {
      const given = edit.lines[at] as string;
      if (given === line) continue;
      places.push(line.trim());
      for (const [character, instead] of differences(given, line)) written.set(character, instead);
    }
    return { ...edit, lines };
  });
  const all = file.join("\n");
  for (const { lines } of restored) for (const line of lines) refuseOdd(line, written, all);
  const [first] = places;
  if (first === undefined || written.size === 0) return { edits: restored, notes: [] };
  const count = places.length === 1 ? "a line" : `${places.length} lines`;
  const note = `The answer repeats ${count} of the file in other characters (${[...written.keys()].map(nameOf).slice(0, 5).join(", ")}); they stay as they are.`;
  return { edits: restored, notes: [note] };
}

const PLAIN = /^[\x20-\x7e\t]*$/;

/** Gives a line as the file has it, if the file has one that is comparable and is written in one way. */
function restorer(file: readonly string[]): (line: string) => string {
  const known = new Set(file.map((line) => line.trim()));
  const index = (keyOf: (line: string) => string) => {
    const found = new Map<string, string | null>();
    for (const line of known) {
      const key = keyOf(line);
      found.set(key, found.has(key) ? null : line);
    }
    return (line: string) => found.get(keyOf(line)) ?? undefined;
  };
  const alike = index((line) => comparable(line).trim());
  const lost = index((line) => withLost(line));
  return (line) => {
    if (PLAIN.test(line)) return line;
    const text = line.trim();
    const body = line.replace(/\r$/, "");
    if (text === "") return body;
    const [indent] = /^\s*/.exec(comparable(body)) as RegExpExecArray;
    const there = known.has(text) ? text : (alike(text) ?? (text.includes(LOST) ? lost(text) : undefined));
    return there === undefined ? line : indent + there + trailing(body);
  };
}

const trailing = (line: string) => /[ \t]*$/.exec(line)?.[0] ?? "";

/** The characters that a line has in the place of others, but for a "\r". */
function differences(given: string, there: string): [string, string][] {
  const [ours, theirs] = [[...given.replace(/\r$/, "")], [...there]];
  const known = new Set(theirs);
  const first = theirs.findIndex((character, at) => character !== ours[at]);
  return [...new Set(ours)].filter((each) => !known.has(each)).map((each) => [each, nameOf(theirs[first])]);
}

function refuseOdd(line: string, written: ReadonlyMap<string, string>, file: string): void {
  const odd = [...line].find((each) => (each === LOST || written.has(each)) && !file.includes(each));
  if (odd === undefined) return;
  const instead = written.get(odd) ?? "one that was lost";
  const reason = `The new line ${JSON.stringify(line.trim().slice(0, MAX_QUOTE))} has ${nameOf(odd)}, which the answer writes for ${instead}.`;
  throw new Refused("malformed", reason, "Write the characters as the file has them.");
}
