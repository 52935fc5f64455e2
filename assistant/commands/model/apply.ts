import { Command } from "commander";
import { z } from "zod";
import { applyEdit, type EditResult } from "../../../edit/apply/apply.ts";
import { FINAL_NEWLINE_POLICIES } from "../../../edit/apply/resolve/resolve-wf.ts";
import { SYNTAX_POLICIES } from "../../../edit/apply/syntax.ts";
import { CONVENTIONS } from "../../../edit/formats/format.ts";
import { refusalText } from "../../../edit/refusal.ts";
import { CodeItem } from "../../../edit/sample.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";
import type { Terminal } from "../../terminal.ts";
import { answerLines, FormatName } from "./jsonl.ts";

/** A line of the input. */
const Job = z.strictObject({
  format: FormatName,
  convention: z.enum(CONVENTIONS).nullish(),
  current: z.union(
    [z.string(), CodeItem],
    'the text of the code, or {"type": "code", "lang": "python", "code": "..."}',
  ),
  response: z.string(),
  finished: z.boolean().default(false),
  syntax: z.enum(SYNTAX_POLICIES).default("refuse"),
  finalNewline: z.enum(FINAL_NEWLINE_POLICIES).default("keep"),
});

const HELP = `
Reads one JSON object a line and writes one a line, in order:
  in   {"format": "wf"|"lc"|"sr", "convention": "inclusive"|"slice", "current": text or
       {"type": "code", "lang": "python", "code": text}, "response": text}
       "convention" is how lc ranges count, "inclusive" when absent. The response may be a completion, with or without
       <|next_start|>, or a whole decoded output. "finished": true says that the server reported that it
       stopped on <|next_end|> and removed that token. "syntax": "warn" applies an edit that breaks the syntax, and
       "detail" says so ("refuse" when absent). "finalNewline": "answer" ends a whole file as the response does; "keep",
       when absent, keeps the file's final newline.
  out  {"status": "applied", "result", "explanation"?, "detail"?}
       {"status": "no-change", "explanation"?}
       {"status": "refused", "code", "detail", "explanation"?}
       {"status": "error", "error": {"code", "detail"}} for an invalid line
Every line gets an answer, also an empty one. Exit codes: 0 all lines were answered, 2 an invalid command line.

Example:
  echo '{"format":"lc","current":"a\\nb","response":"2,2\\n\`\`\`\\nc\\n\`\`\`<|next_end|>"}' | robot-app-assistant model apply --jsonl`;

/** `model apply --jsonl`: applies answers to code, for scripts and other languages. */
export function modelApplyCommand(terminal: Terminal): Command {
  return new Command("apply")
    .description("Apply a model's answers to code, exactly or not at all.")
    .requiredOption("--jsonl", "read and write one JSON object a line")
    .addHelpText("after", HELP)
    .action(() => answerLines(terminal, answer));
}

async function answer(value: unknown): Promise<unknown> {
  const { convention, current, response, ...options } = parseOrThrow(Job, value, "job");
  const { code, lang } = typeof current === "string" ? { code: current, lang: "" } : current;
  return resultOfJob(await applyEdit(code, response, { ...options, convention: convention ?? "inclusive", lang }));
}

function resultOfJob(outcome: EditResult): unknown {
  const explanation = outcome.explanation === "" ? {} : { explanation: outcome.explanation };
  if (outcome.status === "no-change") return { status: outcome.status, ...explanation };
  if (outcome.status === "refused") {
    return { status: outcome.status, code: outcome.refusal.code, detail: refusalText(outcome.refusal), ...explanation };
  }
  const detail = outcome.notes.length === 0 ? {} : { detail: outcome.notes.join(" ") };
  return { status: outcome.status, result: outcome.result, ...explanation, ...detail };
}
