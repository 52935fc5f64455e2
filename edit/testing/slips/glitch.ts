import type { AnswerLine } from "./answer.ts";
import type { Random } from "./random.ts";

/** What a glitch may add to an answer. */
interface Extras {
  /** The lines of a second answer for the same file. */
  second: AnswerLine[];
  /** The lines of an answer for a file in another language. */
  other: AnswerLine[];
}

type Glitch = (lines: AnswerLine[], random: Random, extras: Extras) => AnswerLine[];

const content = (text: string): AnswerLine => ({ kind: "gap", text });

/** The places of lines of some kinds. */
const placesOf = (lines: readonly AnswerLine[], kinds: readonly AnswerLine["kind"][]) =>
  lines.flatMap(({ kind }, at) => (kinds.includes(kind) ? [at] : []));

const at =
  (
    kinds: readonly AnswerLine["kind"][],
    change: (lines: AnswerLine[], place: number, random: Random) => AnswerLine[],
  ): Glitch =>
  (lines, random) => {
    const places = placesOf(lines, kinds);
    return places.length === 0 ? lines : change(lines, random.pick(places), random);
  };

const glue = (lines: AnswerLine[], place: number): AnswerLine[] => {
  const [one, next] = [lines[place], lines[place + 1]];
  // Without a blank line, an answer says something else.
  if (one === undefined || next === undefined || one.text === "" || next.text === "") return lines;
  return lines.toSpliced(place, 2, { ...one, text: one.text + next.text });
};
const drop = (lines: AnswerLine[], place: number) => lines.toSpliced(place, 1);
const double = (lines: AnswerLine[], place: number) => lines.toSpliced(place, 0, lines[place] as AnswerLine);

/** Characters that end lines elsewhere, but not in a file of code. */
const SEPARATORS = ["\u2028", "\u2029", "\x85", "\v", "\f", "\r"];
const WORDS = ["Alternatively:", "or", "Second version:", "style.css", "And the other file:", "", "3,3"];

const join = (lines: AnswerLine[], random: Random, more: AnswerLine[]) => [
  ...lines,
  ...(random.oneIn(2) ? [content(random.pick(WORDS))] : []),
  ...more,
];

/** The glitch after which the answer has no closing token either. */
export const CUT_OFF = "cut off";

/** Together with another slip, these can make an answer that says something else. */
export const NOT_COMBINED: readonly string[] = [
  "a second closing fence after a blank line",
  "a fence between the lines",
];

/** Slips after which an answer no longer says exactly one thing: it is refused, or applied as it was meant. */
export const GLITCHES: Readonly<Record<string, Glitch>> = {
  "two versions": (lines, random, { second }) => join(lines, random, second),
  "two versions without names": (lines, random, { second }) =>
    join(lines, random, second).map((line) => (line.kind === "open" ? { ...line, text: "```" } : line)),
  "two versions, the second between tildes": (lines, _random, { second }) =>
    lines.toSpliced(-1, 0, ...second.map((line) => ({ ...line, text: line.text.replace(/^`{3}/, "~~~") }))),
  "two versions on one line": (lines, random, { second }) => {
    const open = lines.findIndex(({ kind }) => kind === "open");
    const joined = [...lines.slice(open + 1), ...second.slice(0, -1)].map(({ text }) => text);
    return lines.toSpliced(
      open + 1,
      Number.POSITIVE_INFINITY,
      content(joined.join(random.pick(SEPARATORS))),
      content("```"),
    );
  },
  "a second file": (lines, random, { other }) => join(lines, random, other),
  "a doubled closing fence": at(["close"], double),
  "a second closing fence after a blank line": (lines) => [...lines, content(""), content("```")],
  "a doubled opening fence": at(["open"], double),
  "a doubled range or separator": at(["range", "separator"], double),
  "a lost closing fence": at(["close"], drop),
  "a lost opening fence": at(["open"], drop),
  "a lost range": at(["range"], drop),
  "a lost separator": at(["separator"], drop),
  "glued after a closing fence": at(["close"], glue),
  "glued before a fence": at(["range", "content", "search"], (lines, place) =>
    ["open", "close", "separator"].includes(lines[place + 1]?.kind ?? "") ? glue(lines, place) : lines,
  ),
  "glued after an opening fence": at(["open"], glue),
  "glued at a separator": at(["separator"], glue),
  "a fence between the lines": (lines, random) => lines.toSpliced(random.below(lines.length + 1), 0, content("```")),
  "swapped lines": (lines, random) => {
    const place = random.pick(placesOf(lines, ["range", "open", "separator", "close"]));
    const [one, next] = lines.slice(place, place + 2);
    // Lines that change sides of a separator say something else.
    if (one?.kind === "separator" || next?.kind === "separator") return lines;
    return one?.text && next?.text ? lines.toSpliced(place, 2, next, one) : lines;
  },
  [CUT_OFF]: (lines, random) => lines.slice(0, 1 + random.below(lines.length)),
};
