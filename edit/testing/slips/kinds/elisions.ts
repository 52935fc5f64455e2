import { languageName } from "../../../formats/language-name.ts";
import type { MakeSlip, SlipContext, SlipKind, SlippedAnswer } from "../real-slip.ts";
import { regionOf, writeRegion } from "../region.ts";

const WORDS = [
  "остальное без изменений",
  "… 以下省略",
  "以下は変更なし",
  "keep as is",
  "Rest bleibt unverändert",
  "le reste ne change pas",
  "el resto sigue igual",
  "나머지는 동일",
  "the rest of the code is unchanged",
  "same",
  "x",
  "(wie bisher)",
];
const COMMENTS: Readonly<Record<string, readonly [string, string]>> = {
  html: ["<!-- ", " -->"],
  markdown: ["<!-- ", " -->"],
  css: ["/* ", " */"],
  javascript: ["// ", ""],
  typescript: ["// ", ""],
};

const commented = (lang: string, words: string) => {
  const [open, close] = COMMENTS[languageName(lang)] ?? ["# ", ""];
  return open + words + close;
};
const isComment = (lang: string, line: string) =>
  line.trim().startsWith((COMMENTS[languageName(lang)]?.[0] ?? "# ").trim());

type MarkerOf = (lang: string, line: string, context: SlipContext) => string | undefined;

/** Replaces a run of repeated lines, of more lines than the edit adds, by a marker. */
const leaveOut =
  (markerOf: MarkerOf): MakeSlip =>
  (context) =>
    withMarker(context, markerOf);

function withMarker(context: SlipContext, markerOf: MarkerOf): SlippedAnswer | undefined {
  const { random, format, lang, before } = context;
  const region = regionOf(context, format, random);
  const added = (region?.lines.length ?? 0) - (region?.repeated.flat().length ?? 0);
  const runs = region?.repeated.filter((run) => run.length > added + 3) ?? [];
  if (region === undefined || runs.length === 0) return undefined;
  const run = random.pick(runs);
  const size = added + 4 + random.below(run.length - added - 3);
  const from = random.oneIn(2) ? (run[0] ?? 0) : (run.at(-1) ?? 0) - size + 1;
  const gone = region.lines.slice(from, from + size);
  const marker = markerOf(lang, gone.find((line) => line.trim() !== "") ?? "", context);
  if (marker === undefined || gone.includes(marker) || gone.filter((line) => line.trim() !== "").length <= added + 2)
    return undefined;
  // Lines that are in the file more often may be repeated elsewhere in the answer.
  const rest = region.lines.toSpliced(from, size);
  if (gone.every((line) => rest.includes(line)) || (before.match(/```/g) ?? []).length > 0) return undefined;
  return { reason: "stop", text: writeRegion(region, format, lang, region.lines.toSpliced(from, size, marker)) };
}

/** Lines that are left out, with a marker in their place. */
export const ELISIONS: SlipKind = {
  harmless: {
    "a comment that is added": (context) => {
      const { random, format, lang, after } = context;
      const region = regionOf(context, format, random);
      if (region === undefined || after.includes("```") || lang === "json") return undefined;
      const at = region.repeated.flat()[0] ?? 0;
      const marker = commented(lang, random.pick(["Машет антеннами.", "挥动天线", "Waves twice.", "TODO: faster"]));
      const lines = region.lines.toSpliced(at, 0, marker);
      const all = after.split("\n");
      const offset = region.start + at;
      return {
        reason: "stop",
        text: writeRegion(region, format, lang, lines),
        means: all.toSpliced(offset, 0, marker).join("\n"),
      };
    },
    "a run of lines that is deleted": (context) => {
      const { random, format, lang } = context;
      const region = regionOf(context, format, random);
      return region && { reason: "stop", text: writeRegion(region, format, lang, region.lines) };
    },
  },
  harmful: {
    "a comment in any language": leaveOut((lang, line, { random }) => {
      const indent = random.oneIn(2) ? (/^\s*/.exec(line)?.[0] ?? "") : "";
      return indent + commented(lang, random.pick(WORDS));
    }),
    "words in brackets": leaveOut((_lang, _line, { random }) =>
      random.pick(["[以下省略]", "(остальное без изменений)", "…"]),
    ),
    "a comment that the file has": leaveOut((lang, _line, { after }) =>
      after.split("\n").find((line) => isComment(lang, line)),
    ),
    "a comment behind the code": leaveOut(
      (lang, line, { random }) => `${line}  ${commented(lang, random.pick(WORDS))}`,
    ),
  },
};
