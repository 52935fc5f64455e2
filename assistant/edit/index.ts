/**
 * Code edits by a model, exact or refused: the library behind `robot-app-assistant edit`, imported as
 * `robot-daemon/edit`. `docs/editing.md` shows it in use.
 */
export { type ApplyOptions, applyEdit, type EditResult, hashText } from "./apply/apply.ts";
export { readSource, type SourceFile, shownText, writeSource } from "./apply/file.ts";
export { syntaxGates } from "./apply/gates.ts";
export { type Resolved, type ResolveOptions, resolveEdit } from "./apply/resolve.ts";
export { type Splice, spliceText } from "./apply/splice.ts";
export type { SyntaxFault, SyntaxGate, SyntaxGates } from "./apply/syntax-gate.ts";
export { chatReply } from "./formats/answer.ts";
export type { ParsedEdit, RangeEdit, SearchEdit } from "./formats/edit.ts";
export {
  CONVENTIONS,
  type Convention,
  conventionOfModel,
  FORMATS,
  type Format,
  formatOfModel,
} from "./formats/format.ts";
export { type ParsedResponse, type ParseOptions, parseResponse } from "./formats/parse.ts";
export { type RenderResponseOptions, renderResponse } from "./formats/render-response.ts";
export { ResponseStream, type StreamPiece } from "./formats/stream.ts";
export { identify } from "./model/identify.ts";
export { type ProbeReport, probeServer } from "./model/probe.ts";
export { PROFILES, type ProfileName, SERVER_PROFILES, WAYS, type Way } from "./model/profiles.ts";
export { type ServerClientOptions, serverClient } from "./model/server-client.ts";
export { type LocalModelOptions, loadLocalModel } from "./model/transformers.ts";
export type { CompleteOptions, Completion, CompletionRequest, ModelClient } from "./model/types.ts";
export { prepareInput, prepareInputForLc, prepareInputForSr, prepareInputForWf } from "./prompt/messages.ts";
export { type RenderOptions, renderPrompt } from "./prompt/render-prompt.ts";
export { applyChatTemplate, TEMPLATES, type TemplateOptions } from "./prompt/template.ts";
export { loadControlTokens, loadTemplates } from "./prompt/tokenizer-folder.ts";
export { REFUSALS, type Refusal, type RefusalCode, refusalText } from "./refusal.ts";
export { startReplayServer } from "./replay/server.ts";
export { loadTranscripts, Transcript } from "./replay/transcript.ts";
export { ChatMessage, CodeItem, parseSample, Sample } from "./sample.ts";
export { type EditRequest, requestEdit } from "./session/request-edit.ts";
export { CONTROL_TOKENS, TOKEN } from "./tokens.ts";
