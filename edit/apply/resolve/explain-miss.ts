import { comparable, nameOf } from "../../text/look-alikes.ts";
import { findLines } from "./search.ts";

const normalize = (line: string) => comparable(line.normalize("NFKC")).trimEnd();

const trim = (line: string) => line.trim();

/** What a line is indented with. */
function kindOf(line: string): string {
  const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
  if (indent.includes("\t")) return indent.includes(" ") ? "tabs and spaces" : "tabs";
  return indent === "" || line.trim() === "" ? "nothing" : "spaces";
}

/**
 * Why search lines are not in a file, when that can be said: they differ in characters that look alike, in tabs for spaces, or they are from
 * an older version. undefined otherwise.
 * @param history older versions of the file
 */
export function explainMiss(
  search: readonly string[],
  file: readonly string[],
  history: readonly string[] = [],
): string | undefined {
  const [start] = findLines(search.map(normalize), file.map(normalize));
  const differing =
    start === undefined ? -1 : search.findIndex((line, at) => line.trimEnd() !== file[start + at]?.trimEnd());
  if (start !== undefined && differing >= 0) {
    const [there, given] = [[...(file[start + differing] as string)], [...(search[differing] as string)]];
    const at = there.findIndex((character, index) => character !== given[index]);
    const place = at < 0 ? there.length : at;
    return `Line ${start + differing + 1} of the file has ${nameOf(there[place])} where the search has ${nameOf(given[place])}.`;
  }
  const other = findLines(search.map(trim), file.map(trim))[0];
  const indented =
    other === undefined ? -1 : search.findIndex((line, at) => kindOf(line) !== kindOf(file[other + at] ?? ""));
  if (other !== undefined && indented >= 0)
    return `Line ${other + indented + 1} of the file is indented with ${kindOf(file[other + indented] ?? "")}, the search with ${kindOf(search[indented] ?? "")}.`;
  const isOld = history.some((text) => findLines(search, text.split(/\r?\n/)).length > 0);
  return isOld ? "The search quotes an older version of the file." : undefined;
}
