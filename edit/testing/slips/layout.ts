import type { AnswerLine } from "./answer.ts";
import type { Language } from "./corpus.ts";
import type { Random } from "./random.ts";

type Change = (lines: AnswerLine[], random: Random, language: Language) => AnswerLine[];

const each =
  (
    kinds: readonly AnswerLine["kind"][],
    change: (text: string, random: Random, language: Language) => string,
  ): Change =>
  (lines, random, language) =>
    lines.map((line) => (kinds.includes(line.kind) ? { ...line, text: change(line.text, random, language) } : line));

const spaces = (text: string, random: Random) => text + random.pick([" ", "  ", "\t"]);

/** Harmless differences of layout that models write: each leaves one reading. */
export const LAYOUT_SLIPS: Readonly<Record<string, Change>> = {
  "space in a range": each(["range"], (text, random) => text.replace(",", random.pick([", ", " , ", " ,"]))),
  "spaces after a range": each(["range"], spaces),
  "spaces after an opening fence": each(["open"], spaces),
  "spaces after a closing fence": each(["close"], spaces),
  "spaces after the separator": each(["separator"], spaces),
  "spaces after a search line": (lines, random) => {
    const searches = lines.filter(({ kind }) => kind === "search");
    const chosen = searches.length === 0 ? undefined : random.pick(searches);
    return lines.map((line) => (line === chosen ? { ...line, text: spaces(line.text, random) } : line));
  },
  "blank lines between blocks": (lines, random) =>
    lines.flatMap((line, at) => {
      const blanks = line.kind === "close" && at < lines.length - 1 ? 1 + random.below(2) : 0;
      return [line, ...Array.from({ length: blanks }, () => ({ kind: "gap" as const, text: "" }))];
    }),
  "four backticks": each(["open", "close"], (text) => `\`${text}`),
  "another name of the language": each(["open"], (text, random, { name, aliases }) =>
    text.replace(name, random.pick(aliases)),
  ),
  "a title after the language": each(["open"], (text, random) =>
    /`\s*$/.test(text) ? text : text + random.pick([' title="main.py"', " main.py", " {1,3}"]),
  ),
  "a space before the language": each(["open"], (text) => text.replace(/^`+/, "$& ")),
};
