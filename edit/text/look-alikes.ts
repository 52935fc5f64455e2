/** Characters that models write for each other, and what they are compared as. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032\u02bc]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u200b-\u200d\u2060\ufeff\u00ad]/g, ""],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " "],
  [/\u2026/g, "..."],
];
/** Letters of other scripts, each with the Latin one that it looks like. */
const LETTERS = new Map(
  [
    ["АВЕЗКМНОРСТУХІЈЅаеорсухіјѕһԁԛԝьгпт", "ABE3KMHOPCTYXIJSaeopcyxijshdqwbrnt"],
    ["ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυ", "ABEZHIKMNOPTYXaivopu"],
  ].flatMap(([from = "", to = ""]) => [...from].map((letter, at) => [letter, to[at] as string] as const)),
);
const OTHER_LETTER = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "g");
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const ASCII = /^[\x20-\x7e\t]*$/;

/** A line as it is compared with others that may be written in other characters that look alike; a final "\r" does not count. */
export function comparable(line: string): string {
  if (ASCII.test(line)) return line;
  const letters = line
    .replace(/\r$/, "")
    .normalize("NFC")
    .replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(OTHER_LETTER, (letter) => LETTERS.get(letter) ?? letter);
  return ALIKE.reduce((text, [pattern, like]) => text.replace(pattern, like), letters);
}

/** In the place of a character that was lost. */
export const LOST = "\ufffd";

/** A line as it is compared with one of which characters were lost: each run of others than ASCII counts as lost. */
export const withLost = (line: string): string => line.replace(/\r$/, "").replace(/[^\0-\x7f]+/g, LOST);

/** A character with its number, for messages. */
export const nameOf = (character: string | undefined): string =>
  character === undefined
    ? "nothing"
    : `${character} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`;
