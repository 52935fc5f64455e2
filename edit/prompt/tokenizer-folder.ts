import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readIfPresent } from "../../common/machine/read-if-present.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { CONTROL_TOKENS } from "../tokens.ts";

const TokenizerConfig = z.object({
  chat_template: z.union([z.string(), z.array(z.object({ name: z.string(), template: z.string() }))]).optional(),
  added_tokens_decoder: z
    .record(z.string(), z.object({ content: z.string(), special: z.boolean().default(false) }))
    .optional(),
});

/**
 * Loads the named chat templates of a tokenizer in a local folder: `chat_template` of `tokenizer_config.json` (one text,
 * or a list), `chat_template.jinja` and `additional_chat_templates/NAME.jinja`; files win over the config.
 * @throws WorkbenchError `bad-request` when the folder has no template
 */
export async function loadTemplates(folder: string): Promise<Record<string, string>> {
  const templates: Record<string, string> = { ...(await fromConfig(folder)) };
  const template = await readIfPresent(join(folder, "chat_template.jinja"));
  if (template !== null) templates.default = template;
  const additional = join(folder, "additional_chat_templates");
  for (const file of await readdir(additional).catch(() => [])) {
    if (!file.endsWith(".jinja")) continue;
    templates[file.slice(0, -".jinja".length)] = await readFile(join(additional, file), "utf8");
  }
  if (Object.keys(templates).length > 0) return templates;
  throw new WorkbenchError(
    "bad-request",
    `${folder} holds no chat template. Name a tokenizer's folder with a tokenizer_config.json that has ` +
      `"chat_template", or with a chat_template.jinja.`,
  );
}

/**
 * Loads the control tokens that a tokenizer declares: special entries of `added_tokens_decoder` in its configuration.
 * Texts must not contain them either, see `PrepareOptions.tokens`.
 */
export async function loadControlTokens(folder: string): Promise<string[]> {
  const path = join(folder, "tokenizer_config.json");
  const text = await readIfPresent(path);
  const { added_tokens_decoder: added = {} } = text === null ? {} : parseConfig(path, text);
  const declared = Object.values(added)
    .filter(({ special }) => special)
    .map(({ content }) => content);
  return [...new Set([...CONTROL_TOKENS, ...declared])];
}

async function fromConfig(folder: string): Promise<Record<string, string>> {
  const path = join(folder, "tokenizer_config.json");
  const text = await readIfPresent(path);
  if (text === null) return {};
  const { chat_template: template = [] } = parseConfig(path, text);
  if (typeof template === "string") return { default: template };
  return Object.fromEntries(template.map(({ name, template: body }) => [name, body]));
}

function parseConfig(path: string, text: string): z.infer<typeof TokenizerConfig> {
  try {
    return TokenizerConfig.parse(JSON.parse(text));
  } catch (cause) {
    throw new WorkbenchError("bad-request", `${path} is not a tokenizer configuration.`, { cause });
  }
}
