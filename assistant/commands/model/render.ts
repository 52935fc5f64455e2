import { Command } from "commander";
import { z } from "zod";
import { renderPrompt } from "../../../edit/prompt/render-prompt.ts";
import { loadControlTokens, loadTemplates } from "../../../edit/prompt/tokenizer-folder.ts";
import { parseSample } from "../../../edit/sample.ts";
import { nonEmptyText } from "../../../robot/command-line/values.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";
import type { Terminal } from "../../terminal.ts";
import { answerLines, FormatName } from "./jsonl.ts";

const Job = z.strictObject({ format: FormatName, sample: z.unknown() });

const HELP = `
Reads one JSON object a line and writes one a line, in order:
  in   {"format": "wf"|"lc"|"sr", "sample": {"history": [...], "current": {...}, "user": "..."}}
  out  {"prompt": "..."}, or {"status": "error", "error": {"code", "detail"}} for an invalid line
Every line gets an answer, also an empty one. Exit codes: 0 all lines were answered, 2 an invalid command line.

Example:
  echo '{"format":"wf","sample":{"history":[],"current":{"type":"code","lang":"python","code":"x = 1"},"user":""}}' |
    robot-app-assistant model render --jsonl`;

/** `model render --jsonl`: renders samples to prompts, for scripts and other languages. */
export function modelRenderCommand(terminal: Terminal): Command {
  return new Command("render")
    .description("Render samples to prompts, with the assistant-conversation template and its generation prompt.")
    .requiredOption("--jsonl", "read and write one JSON object a line")
    .option(
      "--tokenizer <dir>",
      "folder of a tokenizer, for its templates and control tokens",
      nonEmptyText("a folder", "--tokenizer ./model"),
    )
    .addHelpText("after", HELP)
    .action(async ({ tokenizer }: { tokenizer?: string }) => {
      const own = tokenizer === undefined ? {} : await fromTokenizer(tokenizer);
      await answerLines(terminal, (value) => {
        const { format, sample } = parseOrThrow(Job, value, "job");
        return { prompt: renderPrompt(parseSample(sample), { format, ...own }) };
      });
    });
}

async function fromTokenizer(folder: string) {
  const [templates, tokens] = await Promise.all([loadTemplates(folder), loadControlTokens(folder)]);
  return { templates, tokens };
}
