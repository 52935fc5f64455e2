import type { Format } from "../formats/format.ts";
import type { Sample } from "../sample.ts";
import { type PrepareOptions, prepareInput } from "./messages.ts";
import { applyChatTemplate, type TemplateOptions } from "./template.ts";

export interface RenderOptions extends PrepareOptions, Pick<TemplateOptions, "chatTemplate" | "templates"> {
  format: Format;
}

/**
 * Renders the whole prompt of a sample: the assistant-conversation template with its generation prompt, so that the text
 * ends in `<|next_start|>` and the completion starts inside the edit.
 * @throws WorkbenchError `bad-request` or `control-token`, naming the item and the field
 */
export function renderPrompt(sample: Sample, options: RenderOptions): string {
  const { format, chatTemplate = "assistant-conversation", tokens, templates } = options;
  return applyChatTemplate(prepareInput(sample, format, tokens ? { tokens } : {}), {
    chatTemplate,
    addGenerationPrompt: true,
    ...(templates ? { templates } : {}),
  });
}
