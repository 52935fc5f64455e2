import type { PythonVersion } from "../../common/python/project/python-version.ts";
import { applyEdit, type EditResult } from "../apply/apply.ts";
import type { ElisionPolicy } from "../apply/resolve/elision.ts";
import type { SyntaxPolicy } from "../apply/syntax.ts";
import type { Convention, Format } from "../formats/format.ts";
import { parseResponse } from "../formats/parse/parse-response.ts";
import type { Completion } from "../model/types.ts";
import { escapeTokens, restoreEdit, type TokenEscape } from "../prompt/escape-tokens.ts";
import { instructMessages } from "../prompt/instruct.ts";
import { prepareInput } from "../prompt/messages.ts";
import { type RefusedAnswer, withRefusedAnswer } from "../prompt/refused-answer.ts";
import { applyChatTemplate } from "../prompt/template.ts";
import type { CodeItem, Sample } from "../sample.ts";
import { TOKEN } from "../tokens.ts";
import { withDrafts } from "./drafts.ts";
import {
  type EditRequestResult,
  type ModelInput,
  type RequestOptions,
  requestUntilApplied,
} from "./request-until-applied.ts";

export interface EditRequest extends RequestOptions {
  sample: Sample;
  /** The text to apply the answer to, with its line ends; `sample.current.code` is the text that the model sees. */
  original: string;
  format: Format;
  convention: Convention;
  syntax?: SyntaxPolicy;
  /** The version of Python whose syntax a text of Python may use. Default: the newest. */
  python?: PythonVersion;
  /** Default `refuse`. */
  elision?: ElisionPolicy;
  /** The model is asked in a chat with the format as instructions, because it was not trained for it. Not for `lc`. */
  instruct?: boolean;
  /** Called with the text after the blocks of the answer that have arrived, while it arrives; later ones may be refused. */
  onDraft?: (text: string) => void;
}

/**
 * Asks the model for an edit and applies it to the text. A refused answer is sent back at most `retries` times. When the
 * prompt exceeds the model's context, the oldest versions are left out, then the answer's token limit is lowered.
 * @throws WorkbenchError why the model gave no answer: `model-unreachable`, `model-failed`, `model-missing`,
 *   `deadline-passed`; the signal's reason
 */
export function requestEdit(request: EditRequest): Promise<EditRequestResult<EditResult>> {
  const { sample, original, format, convention, onDraft, python, syntax = "refuse" } = request;
  const past = sample.history.map(({ code }) => code);
  const { elision = "refuse" } = request;
  const options = { convention, lang: sample.current.lang, history: past, python, elision };
  const tokens = escapeTokens([...past, sample.current.code, sample.user]);
  const shown = withEscapedTokens(sample, tokens);
  const judge = async ({ text, ...end }: Completion, policy: SyntaxPolicy) => {
    const parsed = parseResponse(text, { ...end, format, current: original });
    const meant = parsed.kind === "edit" ? { ...parsed, edit: restoreEdit(parsed.edit, tokens.restore) } : parsed;
    const explained = { ...meant, explanation: tokens.restore(parsed.explanation) };
    return applyEdit(original, explained, { ...options, syntax: policy });
  };
  const client = onDraft === undefined ? request.client : withDrafts(request.client, judge, onDraft);
  return requestUntilApplied(
    { ...request, client },
    {
      versions: past.length,
      tokens,
      modelInput: (omitted, refused) =>
        modelInputOf({ ...shown, history: shown.history.slice(omitted) }, request, refused),
      judge: (answer) => judge(answer, syntax),
    },
  );
}

/** A sample in which control tokens are text, with the note on it in the instruction. Offsets of `loc` stay as they are. */
function withEscapedTokens(sample: Sample, tokens: TokenEscape): Sample {
  const escaped = (item: CodeItem) => ({ ...item, code: tokens.escape(item.code) });
  const user = tokens.escape(sample.user);
  return {
    ...sample,
    history: sample.history.map(escaped),
    current: escaped(sample.current),
    user: user === "" || tokens.note === "" ? user : `${user}\n\n${tokens.note}`,
  };
}

function modelInputOf(
  sample: Sample,
  { format, instruct }: EditRequest,
  refused: RefusedAnswer | undefined,
): ModelInput {
  if (instruct)
    return { messages: instructMessages(sample, format === "wf" ? "wf" : "sr", refused), prompt: "", plain: true };
  // The completion starts inside of the edit.
  const answer = refused?.answer ? TOKEN.editStart + refused.answer.replace(TOKEN.editStart, "") : "";
  const messages = withRefusedAnswer(prepareInput(sample, format), refused && { ...refused, answer });
  const chatTemplate = "assistant-conversation";
  return { messages, prompt: applyChatTemplate(messages, { chatTemplate, addGenerationPrompt: true }) };
}
