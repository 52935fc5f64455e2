import type { Random } from "../random.ts";
import type { MakeSlip, SlipKind } from "../real-slip.ts";
import { type Region, regionOf, writeRegion } from "../region.ts";

type Miswrite = (line: string, random: Random) => string;

const HOMOGLYPHS: Readonly<Record<string, string>> = {
  a: "а",
  e: "е",
  o: "о",
  p: "р",
  c: "с",
  x: "х",
  i: "і",
  A: "А",
  B: "В",
  O: "Ο",
};

/** How models write a line that they repeat. */
const MISWRITES: Readonly<Record<string, Miswrite>> = {
  "typographic quotes": (line) =>
    line
      .replace(/"([^"]*)"/g, "“$1”")
      .replace(/(\w)'(\w)/g, "$1’$2")
      .replace(/'([^']*)'/g, "‘$1’"),
  "no-break spaces": (line, random) => line.replaceAll(" ", random.pick(["\u00a0", "\u202f", "\u2009"])),
  "a letter of another script": (line, random) => {
    const at = random.below(line.length + 1);
    const rest = line.slice(at).replace(/[aeopcxiABO]/, (letter) => HOMOGLYPHS[letter] ?? letter);
    return line.slice(0, at) + rest;
  },
  "lost characters": (line) => line.replace(/[^\0-\x7f]/u, "\ufffd"),
  "decomposed accents": (line) => line.normalize("NFD"),
  "a carriage return": (line) => `${line}\r`,
  "a long dash": (line, random) => line.replace("-", random.pick(["–", "‑", "−"])),
  "an invisible character": (line, random) =>
    line.replace(/(\w)(\w)/, `$1${random.pick(["\u200b", "\ufeff", "\u00ad"])}$2`),
};

/** Writes some repeated lines of the answer otherwise, and in a search the same lines, or not. */
const miswrite =
  (change: Miswrite): MakeSlip =>
  (context) => {
    const { random, format, lang } = context;
    const [before, after] = [accented(context.before), accented(context.after)];
    const region = regionOf({ lang, before, after }, format, random);
    const places =
      region?.repeated.flat().filter((at) => change(region.lines[at] as string, random) !== region.lines[at]) ?? [];
    if (region === undefined || places.length === 0) return undefined;
    const few = random.oneIn(2) ? [random.pick(places)] : places;
    const written = new Map(few.map((at) => [at, change(region.lines[at] as string, random)]));
    const lines = region.lines.map((line, at) => written.get(at) ?? line);
    const by = new Map([...written].map(([at, line]) => [region.lines[at], line]));
    const search = random.oneIn(2) ? searchOf(region, by) : region.old;
    return { reason: "stop", text: writeRegion(region, format, lang, lines, search), before, means: after };
  };

/** The comments of a text with other letters than ASCII. */
const accented = (text: string) =>
  text.replace(/^ *(?:#|\/\/) .*$/gm, (comment) => comment.replaceAll("e", "é").replaceAll("ss", "ß"));

const searchOf = ({ old }: Region, by: ReadonlyMap<string | undefined, string>) =>
  old.map((line) => by.get(line) ?? line);

/** Lines of the file that an answer repeats, in other characters. */
export const KEPT_LINES: SlipKind = {
  harmless: Object.fromEntries(Object.entries(MISWRITES).map(([name, change]) => [name, miswrite(change)])),
  harmful: {
    "a lost character in a new line": (context) => {
      const { random, format, lang } = context;
      const region = regionOf(context, format, random);
      const repeated = new Set(region?.repeated.flat());
      const at = region?.lines.findIndex((line, index) => !repeated.has(index) && line.trim() !== "") ?? -1;
      if (region === undefined || at < 0) return undefined;
      const lines = region.lines.map((line, index) => (index === at ? line.replace(/\S/, "\ufffd") : line));
      return { reason: "stop", text: writeRegion(region, format, lang, lines) };
    },
  },
};
