import { fencedBlock, searchBlock } from "../formats/fence.ts";
import type { Format } from "../formats/format.ts";
import { languageOfFile } from "../formats/language-name.ts";
import type { ChatMessage, Sample } from "../sample.ts";
import { refuseControlTokens, TOKEN } from "../tokens.ts";
import { parseSampleWithoutControlTokens } from "./messages.ts";
import { type RefusedAnswer, withRefusedAnswer } from "./refused-answer.ts";

const EXAMPLES: Readonly<Record<"wf" | "sr", string>> = {
  sr: `${TOKEN.editStart}${searchBlock("python", "x = 1", "x = 2")}${TOKEN.editEnd}`,
  wf: `${TOKEN.editStart}${fencedBlock("python", "x = 2\ny = 3")}${TOKEN.editEnd}`,
};

const RULES: Readonly<Record<"wf" | "sr", string>> = {
  sr: [
    "Each change is one fenced block: lines of the file to search for, copied exactly with their indentation and found",
    `once in the file; a line with ${TOKEN.separator}; the lines that replace them. Several changes are several blocks.`,
  ].join(" "),
  wf: "The change is the whole new file in one fenced block, every line written out.",
};

const LEAVE_NOTHING_OUT =
  "Never leave lines out with a comment. If the code has fences of three backticks, use four around the block.";

/** The formats that a model without training for them is asked for. */
type InstructFormat = keyof typeof RULES;

/** The format to ask for: search and replace, or the whole file when there is nothing to search. Ranges need training. */
export function instructFormat(current: string, format?: Format): InstructFormat {
  return format === "wf" || current.trim() === "" ? "wf" : "sr";
}

/**
 * The turns that ask any chat model for an edit: the format as instructions with an example, then file and instruction.
 * @param refused the last answer, which they go on after
 * @throws WorkbenchError `bad-request` or `control-token`, as `prepareInput`
 */
export function instructMessages(value: Sample, format: InstructFormat, refused?: RefusedAnswer): ChatMessage[] {
  const { history, current, user, loc } = parseSampleWithoutControlTokens(value);
  const older = history.at(-1);
  const system = [
    "You edit one file. Answer with the edit first and a short explanation after it.",
    `The edit begins with ${TOKEN.editStart} and ends with ${TOKEN.editEnd}. ${RULES[format]}`,
    LEAVE_NOTHING_OUT,
    `Example:\n${EXAMPLES[format]}\nThe value is now two.`,
  ];
  const lang = current.lang.toLowerCase();
  const parts = [
    ...(older === undefined || user !== "" ? [] : [`The file was before:\n${fencedBlock(lang, older.code, "````")}`]),
    `The file:\n${fencedBlock(lang, current.code, "````")}`,
    ...(Array.isArray(loc)
      ? [`The instruction is about these lines:\n${fencedBlock(lang, selected(current.code, loc), "````")}`]
      : []),
    user === "" ? "Continue the last change where it is still missing." : user,
  ];
  return withRefusedAnswer(turnsOf(system, parts), refused);
}

/** A file of a request for an edit of several files; null for the text of one that does not exist yet. */
interface InstructFile {
  name: string;
  text: string | null;
}

/**
 * The turns that ask any chat model for an edit of several files, all named by their paths.
 * @param user the instruction, not empty
 * @param refused the last answer, which they go on after
 * @throws WorkbenchError `control-token` with the place
 */
export function instructMultiFileMessages(
  files: readonly InstructFile[],
  user: string,
  refused?: RefusedAnswer,
): ChatMessage[] {
  const missing = files.flatMap(({ name, text }) => (text === null ? [name] : []));
  const example = `${searchBlock("python", "x = 1", "x = 2")}\nFile: hello/moves.py\n${fencedBlock("python", "y = 3")}`;
  const system = [
    "You edit the files of an app. Answer with the edits first and a short explanation after them.",
    `All edits together begin with ${TOKEN.editStart} and end with ${TOKEN.editEnd}. The edit of each file stands once, below a line with "File: " and its path.`,
    `The edit of a file that has text: ${RULES.sr}`,
    "The edit of a new or empty file: the whole file in one fenced block.",
    "Leave files out that stay as they are. You may add a new file in the folder of one that you change, by its path from the app's folder.",
    LEAVE_NOTHING_OUT,
    `Example:\n${TOKEN.editStart}File: hello/main.py\n${example}${TOKEN.editEnd}\nThe value is now two, and moves.py is new.`,
  ];
  const parts = [
    ...files.flatMap(({ name, text }) =>
      text === null ? [] : [`File: ${name}\n${fencedBlock(languageOfFile(name), text, "````")}`],
    ),
    ...(missing.length === 0 ? [] : [`These files do not exist yet: ${missing.join(", ")}`]),
    user,
  ];
  for (const part of parts) refuseControlTokens(part, "the request");
  return withRefusedAnswer(turnsOf(system, parts), refused);
}

const turnsOf = (system: readonly string[], user: readonly string[]): ChatMessage[] => [
  { role: "system", content: system.join("\n\n") },
  { role: "user", content: user.join("\n\n") },
];

const selected = (code: string, [start, end]: readonly [number, number]) => Array.from(code).slice(start, end).join("");
