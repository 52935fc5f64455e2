import { NO_FILE, textForModel } from "../apply/file.ts";
import type { SyntaxPolicy } from "../apply/syntax.ts";
import { escapeTokens } from "../prompt/escape-tokens.ts";
import { instructMultiFileMessages } from "../prompt/instruct.ts";
import { applyMultiFileAnswer, type FileToEdit, type MultiFileResult } from "./edit-files.ts";
import { type EditRequestResult, type RequestOptions, requestUntilApplied } from "./request-until-applied.ts";

interface MultiFileRequest extends RequestOptions {
  /** The app's folder, absolute. */
  app: string;
  files: readonly FileToEdit[];
  instruction: string;
  syntax: SyntaxPolicy;
}

/** Asks any chat model for an edit of several files and applies it to all or to none; otherwise as `requestEdit`. */
export function requestMultiFileEdit(request: MultiFileRequest): Promise<EditRequestResult<MultiFileResult>> {
  const { app, files, instruction, syntax } = request;
  const texts = files.map(({ source }) => textForModel(source.text));
  const tokens = escapeTokens([...texts, ...files.map(({ name }) => name), instruction]);
  const shown = files.map(({ name, source }, index) => {
    return { name: tokens.escape(name), text: source.hash === NO_FILE ? null : tokens.escape(texts[index] ?? "") };
  });
  const user = [tokens.escape(instruction), tokens.note].join("\n\n").trim();
  return requestUntilApplied(request, {
    versions: 0,
    tokens,
    modelInput: (_, refused) => ({
      messages: instructMultiFileMessages(shown, user, refused),
      prompt: "",
      plain: true,
    }),
    judge: (answer) => applyMultiFileAnswer({ ...answer, app, files, syntax, restore: tokens.restore }),
  });
}
