/**
 * Edits of code by a model, applied exactly or refused: the library behind `robot-app-assistant edit`, imported as
 * `robot-daemon/edit`. `docs/editing.md` has an example.
 */

export type { SyntaxFault } from "../common/syntax-fault.ts";
export { WorkbenchError } from "../robot/wire/errors.ts";
export type { ApplyOptions, EditResult } from "./apply/apply.ts";
export type { SourceFile } from "./apply/file.ts";
export type { Resolved, ResolveOptions } from "./apply/resolve/resolve.ts";
export { FINAL_NEWLINE_POLICIES, type FinalNewlinePolicy } from "./apply/resolve/resolve-wf.ts";
export type { Splice } from "./apply/splice.ts";
export {
  SYNTAX_CHECKERS,
  SYNTAX_POLICIES,
  type SyntaxChecker,
  type SyntaxCheckers,
  type SyntaxPolicy,
} from "./apply/syntax.ts";
export {
  applyChatTemplate,
  applyEdit,
  chatReply,
  hashText,
  identifyServer,
  instructFormat,
  instructMessages,
  loadControlTokens,
  loadLocalModel,
  loadTemplates,
  parseResponse,
  prepareInput,
  prepareInputForLc,
  prepareInputForSr,
  prepareInputForWf,
  ResponseStream,
  readSource,
  refusalText,
  renderPrompt,
  renderResponse,
  requestEdit,
  resolveEdit,
  serverClient,
  spliceText,
  textForModel,
  writeSource,
} from "./checked-calls.ts";
export type { ParsedEdit, RangeEdit, SearchEdit } from "./formats/edit.ts";
export { CONVENTIONS, type Convention, FORMATS, type Format } from "./formats/format.ts";
export type { ParsedResponse, ParseOptions } from "./formats/parse/parse-response.ts";
export type { StreamPiece } from "./formats/parse/stream.ts";
export type { RenderResponseOptions } from "./formats/render/render-response.ts";
export { APIS, type Api, PROFILES, type ProfileName } from "./model/profiles.ts";
export type { ServerClientOptions } from "./model/server-client.ts";
export { ServerError } from "./model/server-error.ts";
export type { LocalModelOptions } from "./model/transformers.ts";
export type { CompleteOptions, Completion, CompletionRequest, ModelClient } from "./model/types.ts";
export type { RenderOptions } from "./prompt/render-prompt.ts";
export { TEMPLATES, type TemplateOptions } from "./prompt/template.ts";
export { REFUSALS, type Refusal, type RefusalCode, Refused } from "./refusal.ts";
export { ChatMessage, CodeItem, parseSample, Sample } from "./sample.ts";
export type { EditRequest } from "./session/request-edit.ts";
export { CONTROL_TOKENS, TOKEN } from "./tokens.ts";
