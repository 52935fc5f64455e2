import { Template } from "@huggingface/jinja";
import { z } from "zod";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { read } from "../../../robot/wire/read.ts";
import { ChatMessage } from "../sample.ts";
import { CONTROL_TOKENS, refuseControlTokens, TOKEN } from "../tokens.ts";

export const SYSTEM_TEXT = "You are a helpful programming assistant.";

/** A chat template of this model family; `opening` is what generation starts after. */
const turns = (opening: string) =>
  [
    "{%- if messages[0]['role'] != 'system' -%}",
    `{{ '${TOKEN.turnStart}system\\n${SYSTEM_TEXT}${TOKEN.turnEnd}\\n' }}`,
    "{%- endif -%}",
    "{%- for message in messages -%}",
    "{%- if not loop.first -%}{{ '\\n' }}{%- endif -%}",
    `{{ '${TOKEN.turnStart}' + message['role'] + '\\n' + message['content'] + '${TOKEN.turnEnd}' }}`,
    "{%- endfor -%}",
    `{%- if add_generation_prompt -%}{{ '\\n${opening}' }}{%- endif -%}`,
  ].join("");

/** The templates by name; texts in Jinja, as a tokenizer's configuration would hold them. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  default: turns(`${TOKEN.turnStart}assistant\\n`),
  "assistant-conversation": turns(`${TOKEN.turnStart}assistant\\n${TOKEN.editStart}`),
};

export interface TemplateOptions {
  /** `default`, `assistant-conversation`, a name from `templates`, or the text of a Jinja template. */
  chatTemplate?: string;
  /** End where the assistant's turn begins. Default false, as in the tokenizers' own function. */
  addGenerationPrompt?: boolean;
  /** Only the text is made here; token ids are the server's business. */
  tokenize?: false;
  /** Named templates of a tokenizer, see `loadTemplates`. */
  templates?: Readonly<Record<string, string>>;
}

/** What a role's turn may hold of control tokens: those that `prepareInput...` and a recorded answer put there. */
const ALLOWED: Readonly<Record<ChatMessage["role"], readonly string[]>> = {
  system: [],
  user: [],
  history: [TOKEN.separator],
  current: [TOKEN.target, TOKEN.targetStart, TOKEN.targetEnd],
  assistant: [TOKEN.editStart, TOKEN.editEnd, TOKEN.separator],
};

/**
 * Renders chat turns to the text that the model reads.
 * @throws WorkbenchError `bad-request` for an empty or malformed conversation or an unknown template,
 *   `control-token` for a turn that holds a token its role may not write
 */
export function applyChatTemplate(messages: readonly ChatMessage[], options: TemplateOptions = {}): string {
  const turns = read(z.array(ChatMessage).min(1, "a list of at least one message"), messages, "messages");
  turns.forEach(({ role, content }, index) => {
    const refused = CONTROL_TOKENS.filter((token) => !ALLOWED[role].includes(token));
    refuseControlTokens(content, `messages[${index}].content (${role})`, refused);
  });
  return compile(templateText(options)).render({
    messages: turns,
    add_generation_prompt: options.addGenerationPrompt ?? false,
  });
}

function templateText({ chatTemplate = "default", templates = {} }: TemplateOptions): string {
  const named = templates[chatTemplate] ?? TEMPLATES[chatTemplate];
  if (named !== undefined) return named;
  if (/\{[{%]/.test(chatTemplate)) return chatTemplate;
  const names = [...new Set([...Object.keys(templates), ...Object.keys(TEMPLATES)])].join(", ");
  throw new WorkbenchError("bad-request", `There is no chat template "${chatTemplate}". Known: ${names}.`);
}

const compiled = new Map<string, Template>();

/** Parsing takes far longer than rendering, and a program uses a handful of templates. */
function compile(text: string): Template {
  const template = compiled.get(text) ?? new Template(text);
  compiled.set(text, template);
  return template;
}
