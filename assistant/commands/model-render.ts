import { Command } from "commander";
import { z } from "zod";
import { words } from "../../robot/command-line/values.ts";
import { read } from "../../robot/wire/read.ts";
import { renderPrompt } from "../edit/prompt/render-prompt.ts";
import { loadControlTokens, loadTemplates } from "../edit/prompt/tokenizer-folder.ts";
import { parseSample } from "../edit/sample.ts";
import type { Terminal } from "../terminal.ts";
import { FormatName } from "./format-name.ts";
import { answerLines } from "./jsonl.ts";

const Job = z.object({ format: FormatName, sample: z.unknown() });

const HELP = `
Reads one JSON object a line and writes one a line, in order:
  in   {"format": "wf"|"lc"|"sr", "sample": {"history": [...], "current": {...}, "user": "..."}}
  out  {"prompt": "..."}, or {"status": "error", "error": {"code", "detail"}} for a line that does not fit
Every line has its answer, an empty one too. Exit codes: 0 when all lines were answered, so or so, 2 a wrong command line.

Example:
  echo '{"format":"wf","sample":{"history":[],"current":{"type":"code","lang":"python","code":"x = 1"},"user":""}}' |
    robot-app-assistant model render --jsonl`;

/** `model render --jsonl`: samples to prompts, for scripts and other languages. */
export function modelRenderCommand(terminal: Terminal): Command {
  return new Command("render")
    .description("Render samples to prompts, with the assistant-conversation template and its generation prompt.")
    .requiredOption("--jsonl", "read and write one JSON object a line")
    .option(
      "--tokenizer <dir>",
      "take template and control tokens from a tokenizer's folder",
      words("a folder", "--tokenizer ./model"),
    )
    .addHelpText("after", HELP)
    .action(async ({ tokenizer }: { tokenizer?: string }) => {
      const own = tokenizer === undefined ? {} : await fromTokenizer(tokenizer);
      await answerLines(terminal, (value) => {
        const { format, sample } = read(Job, value, "job");
        return { prompt: renderPrompt(parseSample(sample), { format, ...own }) };
      });
    });
}

async function fromTokenizer(folder: string) {
  const [templates, tokens] = await Promise.all([loadTemplates(folder), loadControlTokens(folder)]);
  return { templates, tokens };
}
