import { findLines } from "./search.ts";

/** Characters that models write for each other, with what they are compared as. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032\u00b4`]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u200b-\u200d\u2060\ufeff\u00ad]/g, ""],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " "],
];

const normalize = (line: string) =>
  ALIKE.reduce((text, [pattern, like]) => text.replace(pattern, like), line.normalize("NFKC")).trimEnd();

const codeOf = (character: string | undefined) =>
  character === undefined
    ? "nothing"
    : `${character} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`;

/**
 * Why search lines are not in a file, when that can be said: they differ in characters that look alike, or they are from
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
    return `Line ${start + differing + 1} of the file has ${codeOf(there[place])} where the search has ${codeOf(given[place])}.`;
  }
  const isOld = history.some((text) => findLines(search, text.split(/\r?\n/)).length > 0);
  return isOld ? "The search quotes an older version of the file." : undefined;
}
