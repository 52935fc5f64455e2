/**
 * Edits of code by a model, applied exactly or refused: the library behind `robot-app-assistant edit`, imported as
 * `robot-daemon/edit`. `docs/editing.md` has an example.
 */

export type { SyntaxFault } from "../common/syntax-fault.ts";
export { type ApplyOptions, applyEdit, type EditResult, hashText } from "./apply/apply.ts";
export { readSource, type SourceFile, textForModel } from "./apply/file.ts";
export { type Resolved, type ResolveOptions, resolveEdit } from "./apply/resolve/resolve.ts";
export { FINAL_NEWLINE_POLICIES, type FinalNewlinePolicy } from "./apply/resolve/resolve-wf.ts";
export { type Splice, spliceText } from "./apply/splice.ts";
export {
  SYNTAX_CHECKERS,
  SYNTAX_POLICIES,
  type SyntaxChecker,
  type SyntaxCheckers,
  type SyntaxPolicy,
} from "./apply/syntax.ts";
export type { ParsedEdit, RangeEdit, SearchEdit } from "./formats/edit.ts";
export {
  CONVENTIONS,
  type Convention,
  FORMATS,
  type Format,
} from "./formats/format.ts";
export { chatReply } from "./formats/parse/chat-reply.ts";
export { type ParsedResponse, type ParseOptions, parseResponse } from "./formats/parse/parse-response.ts";
export { ResponseStream, type StreamPiece } from "./formats/parse/stream.ts";
export { type RenderResponseOptions, renderResponse } from "./formats/render/render-response.ts";
export { identifyServer } from "./model/identify.ts";
export { APIS, type Api, PROFILES, type ProfileName } from "./model/profiles.ts";
export { type ServerClientOptions, serverClient } from "./model/server-client.ts";
export { type LocalModelOptions, loadLocalModel } from "./model/transformers.ts";
export type { CompleteOptions, Completion, CompletionRequest, ModelClient } from "./model/types.ts";
export { instructFormat, instructMessages } from "./prompt/instruct.ts";
export { prepareInput, prepareInputForLc, prepareInputForSr, prepareInputForWf } from "./prompt/messages.ts";
export { type RenderOptions, renderPrompt } from "./prompt/render-prompt.ts";
export { applyChatTemplate, TEMPLATES, type TemplateOptions } from "./prompt/template.ts";
export { loadControlTokens, loadTemplates } from "./prompt/tokenizer-folder.ts";
export { REFUSALS, type Refusal, type RefusalCode, refusalText } from "./refusal.ts";
export { ChatMessage, CodeItem, parseSample, Sample } from "./sample.ts";
export { type EditRequest, requestEdit } from "./session/request-edit.ts";
export { CONTROL_TOKENS, TOKEN } from "./tokens.ts";
export { writeSource } from "./write/write-source.ts";
