import { Template } from "@huggingface/jinja";
import { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { ChatMessage } from "../sample.ts";
import { CONTROL_TOKENS, refuseControlTokens, TOKEN } from "../tokens.ts";

const SYSTEM_TEXT = "You are a helpful programming assistant.";

/** A chat template of this model family. @param opening text before the generated answer */
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

/** The templates by name, in Jinja as in a tokenizer's configuration. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  default: turns(`${TOKEN.turnStart}assistant\\n`),
  "assistant-conversation": turns(`${TOKEN.turnStart}assistant\\n${TOKEN.editStart}`),
};

type TokenizerFunction = (
  text: string,
  options: { add_special_tokens: false; return_tensor: boolean },
) => { input_ids: unknown };

export interface TemplateOptions {
  /** `default`, `assistant-conversation`, a name from `templates`, or the text of a Jinja template. */
  chatTemplate?: string;
  /** End where the assistant's turn begins. Default false, as in the tokenizers' own function. */
  addGenerationPrompt?: boolean;
  /** Return token ids instead of text; needs `tokenizer`. Default false: the server makes them. */
  tokenize?: boolean;
  /** A loaded tokenizer, for example one of transformers.js: `AutoTokenizer.from_pretrained(folder)`. */
  tokenizer?: TokenizerFunction;
  /** With `tokenize`: return all that the tokenizer returns, the attention mask included, rather than the ids alone. */
  returnDict?: boolean;
  /** With `tokenize`: return tensors rather than lists. */
  returnTensors?: boolean;
  /** Named templates of a tokenizer, see `loadTemplates`. */
  templates?: Readonly<Record<string, string>>;
}

/** Control tokens that a role's turn may contain: those that `prepareInput...` and recorded answers use. */
const ALLOWED: Readonly<Record<ChatMessage["role"], readonly string[]>> = {
  system: [],
  user: [],
  history: [TOKEN.separator],
  current: [TOKEN.target, TOKEN.targetStart, TOKEN.targetEnd],
  assistant: [TOKEN.editStart, TOKEN.editEnd, TOKEN.separator],
};

/** Options that give text. */
type TextOptions = TemplateOptions & { tokenize?: false };

/**
 * Renders chat turns to the text that the model reads, or to its tokens.
 * @throws WorkbenchError `bad-request` for an option that cannot be carried out: tokens without a tokenizer
 * @throws WorkbenchError `bad-request` for an empty or malformed conversation or an unknown template,
 *   `control-token` for a turn with a token that its role must not contain
 */
export function applyChatTemplate(messages: readonly ChatMessage[], options?: TextOptions): string;
export function applyChatTemplate(messages: readonly ChatMessage[], options: TemplateOptions): unknown;
export function applyChatTemplate(messages: readonly ChatMessage[], options: TemplateOptions = {}): unknown {
  const { tokenize = false, tokenizer, returnDict = false, returnTensors = false } = options;
  refuseOptions(options);
  const turns = parseOrThrow(z.array(ChatMessage).min(1, "a list of at least one message"), messages, "messages");
  turns.forEach(({ role, content }, index) => {
    const forbidden = CONTROL_TOKENS.filter((token) => !ALLOWED[role].includes(token));
    refuseControlTokens(content, `messages[${index}].content (${role})`, forbidden);
  });
  const text = compile(templateText(options)).render({
    messages: turns,
    add_generation_prompt: options.addGenerationPrompt ?? false,
  });
  if (!tokenize || tokenizer === undefined) return text;
  const encoded = tokenizer(text, { add_special_tokens: false, return_tensor: returnTensors });
  return returnDict ? encoded : encoded.input_ids;
}

/** Options that would have no effect are refused: who asks for tokens must not get text. */
function refuseOptions(options: TemplateOptions): void {
  const { tokenize, tokenizer, returnDict, returnTensors } = options;
  if (tokenize && tokenizer === undefined) {
    throw new WorkbenchError(
      "bad-request",
      "tokenize needs the option tokenizer, a loaded tokenizer; without it, text is rendered.",
    );
  }
  if (!tokenize && (returnDict || returnTensors)) {
    throw new WorkbenchError(
      "bad-request",
      "returnDict and returnTensors are about tokens: add tokenize: true and a tokenizer.",
    );
  }
}

function templateText({ chatTemplate = "default", templates = {} }: TemplateOptions): string {
  const known = new Map([...Object.entries(TEMPLATES), ...Object.entries(templates)]);
  const named = known.get(chatTemplate);
  if (named !== undefined) return named;
  if (/\{[{%]/.test(chatTemplate)) return chatTemplate;
  throw new WorkbenchError(
    "bad-request",
    `There is no chat template "${chatTemplate}". Known: ${[...known.keys()].join(", ")}.`,
  );
}

const compiled = new Map<string, Template>();

/** Caches parsed templates: parsing takes far longer than rendering. */
function compile(text: string): Template {
  const template = compiled.get(text) ?? new Template(text);
  compiled.set(text, template);
  return template;
}
