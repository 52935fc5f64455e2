import { Command } from "commander";
import { chatReply } from "../../edit/formats/parse/chat-reply.ts";
import type { ModelClient } from "../../edit/model/types.ts";
import { escapeTokens } from "../../edit/prompt/escape-tokens.ts";
import { readReferenceFiles, referenceText } from "../../edit/prompt/reference-files.ts";
import { applyChatTemplate } from "../../edit/prompt/template.ts";
import { catchRefusal, refusalText } from "../../edit/refusal.ts";
import type { ChatMessage } from "../../edit/sample.ts";
import { requireExisting } from "../../edit/session/find-file.ts";
import { nonEmptyText, repeatable, wholeNumber } from "../../robot/command-line/values.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { escapeControls } from "../escape-controls.ts";
import { EXIT, type Terminal } from "../terminal.ts";
import { type ModelFlags, openModel, refuseUnusedModelOptions, withModelOptions } from "./model/options.ts";

const HELP = `
The model sees the files of the app, or those of --context, and changes nothing. Any model works, behind Ollama or a server
with an OpenAI-style chat interface. Exit codes: 0 answered, 1 an empty answer, 2 an invalid command line, 3 no model.

Examples:
  robot-app-assistant chat my_app -q "Why does the head not move?"
  robot-app-assistant chat my_app                          ask until an empty line
  robot-app-assistant chat my_app --context my_app/my_app/main.py -q "Explain run."`;

interface ChatFlags extends ModelFlags {
  question?: string;
  context: readonly string[];
  maxTokens: number;
}

/** `chat`: asks a model about an app; nothing is changed. */
export function chatCommand(terminal: Terminal): Command {
  const command = new Command("chat")
    .description("Ask a model about an app; nothing is changed.")
    .argument("[path]", "the app's folder, or a file", ".")
    .option("-q, --question <text>", "the question; without it, a terminal asks for it", QUESTION)
    .option("--context <path>", "show this file or folder instead of the whole app (repeatable)", repeatable(FILE), [])
    .option("--max-tokens <n>", "maximum tokens of an answer", wholeNumber(1, 1_000_000, "--max-tokens 1024"), 1024)
    .addHelpText("after", HELP);
  return withModelOptions(command).action((path: string, flags: ChatFlags) => {
    refuseUnusedModelOptions(command, flags);
    return chat(path, flags, terminal);
  });
}

const QUESTION = nonEmptyText("a question", '--question "What does run do?"');
const FILE = nonEmptyText("a file or folder", "--context my_app/main.py");

async function chat(path: string, flags: ChatFlags, terminal: Terminal): Promise<void> {
  await requireExisting(terminal.cwd, path);
  if (flags.question === undefined && !terminal.interactive)
    throw new WorkbenchError("usage", 'No terminal to ask for the question: give it, as in -q "What does run do?"');
  const files = await readReferenceFiles(flags.context.length > 0 ? flags.context : [path], terminal.cwd);
  const client = await openModel(flags, terminal);
  terminal.err(`Asking ${client.model} about ${files.map(({ name }) => name).join(", ")}\n`);
  const messages: ChatMessage[] = [];
  let asked = flags.question ?? (await nextQuestion(terminal));
  while (asked !== undefined) {
    const content = messages.length === 0 ? `${referenceText(files)}\n\n${asked}`.trim() : asked;
    messages.push({ role: "user", content });
    const reply = await answer(client, messages, flags, terminal);
    messages.push({ role: "assistant", content: reply });
    asked = flags.question === undefined ? await nextQuestion(terminal) : undefined;
  }
}

/** Asks a person for a question; undefined when there is no further one. */
async function nextQuestion(terminal: Terminal): Promise<string | undefined> {
  const given = await terminal.ask({ message: "Question? (empty: end)", fallback: "", validate: () => undefined });
  return given?.trim() || undefined;
}

/**
 * Asks the model, shows its answer, on a terminal while it arrives, and returns it.
 * @throws WorkbenchError `model-failed` for an answer that ends inside its reasoning; those of `ModelClient.complete`
 */
async function answer(
  client: ModelClient,
  turns: readonly ChatMessage[],
  { maxTokens }: ChatFlags,
  terminal: Terminal,
): Promise<string> {
  const tokens = escapeTokens(turns.map(({ content }) => content));
  const messages = turns.map(({ role, content }, index) => {
    const note = index === 0 && tokens.note !== "" ? `\n\n${tokens.note}` : "";
    return { role, content: tokens.escape(content) + note };
  });
  const request = {
    messages,
    prompt: applyChatTemplate(messages, { addGenerationPrompt: true }),
    explain: true, // the answer does not end where an edit would
    maxTokens,
    plain: true,
  } as const;
  // An answer with escaped tokens is shown once they are restored.
  const streams = terminal.interactive && tokens.note === "";
  const { text } = await client.complete(request, {
    signal: terminal.signal,
    ...(streams ? { onText: (piece: string) => terminal.out(escapeControls(piece)) } : {}),
  });
  const parsed = catchRefusal(() => chatReply(text));
  if ("code" in parsed) throw new WorkbenchError("model-failed", refusalText(parsed));
  const reply = tokens.restore(parsed.reply);
  if (reply === "") {
    terminal.err("The model gave an empty answer.\n");
    terminal.setExitCode(EXIT.failed);
  } else terminal.out(streams ? "\n" : `${escapeControls(reply)}\n`);
  return reply;
}
