import { z } from "zod";
import { PYTHON_VERSIONS } from "../common/python/project/python-version.ts";
import { WorkbenchError } from "../robot/wire/errors.ts";
import { assertMatches } from "../robot/wire/validation/parse-or-throw.ts";
import { applyEdit as apply, hashText as hash } from "./apply/apply.ts";
import { textForModel as forModel, readSource as read } from "./apply/file.ts";
import { resolveEdit as resolve } from "./apply/resolve/resolve.ts";
import { FINAL_NEWLINE_POLICIES } from "./apply/resolve/resolve-wf.ts";
import { spliceText as splice } from "./apply/splice.ts";
import { SYNTAX_POLICIES } from "./apply/syntax.ts";
import { CONVENTIONS, FORMATS } from "./formats/format.ts";
import { chatReply as reply } from "./formats/parse/chat-reply.ts";
import { parseResponse as parse } from "./formats/parse/parse-response.ts";
import { ResponseStream as Stream } from "./formats/parse/stream.ts";
import { renderResponse as renderAnswer } from "./formats/render/render-response.ts";
import { identifyServer as identify } from "./model/identify.ts";
import { APIS, PROFILES } from "./model/profiles.ts";
import { serverClient as client } from "./model/server-client.ts";
import { loadLocalModel as loadLocal } from "./model/transformers.ts";
import type { ModelClient } from "./model/types.ts";
import { instructFormat as formatToInstruct, instructMessages as instructTurns } from "./prompt/instruct.ts";
import {
  prepareInput as prepare,
  prepareInputForLc as prepareLc,
  prepareInputForSr as prepareSr,
  prepareInputForWf as prepareWf,
} from "./prompt/messages.ts";
import { renderPrompt as render } from "./prompt/render-prompt.ts";
import { applyChatTemplate as applyTemplate } from "./prompt/template.ts";
import { loadControlTokens as controlTokens, loadTemplates as templates } from "./prompt/tokenizer-folder.ts";
import { refusalText as asText } from "./refusal.ts";
import { ChatMessage, Sample } from "./sample.ts";
import { requestEdit as request } from "./session/request-edit.ts";
import { writeSource as write } from "./write/write-source.ts";

// The functions of the library as its callers get them: JavaScript callers have no types, and a misspelled option or value
// must not mean another one. Within the package, types suffice.

const text = z.string();
const texts = z.array(text);
const flag = z.boolean();
const callback = z.custom<(...args: unknown[]) => unknown>((value) => typeof value === "function", "a function");
const signal = z.instanceof(AbortSignal, { error: "an AbortSignal" });
const format = z.enum(FORMATS);
const convention = z.enum(CONVENTIONS);
const count = z.int().min(0);
const limit = z.int().min(1);
/** The longest that a timer has. */
const milliseconds = z
  .number()
  .min(1)
  .max(2 ** 31 - 1);

const edit = z.looseObject({ format, lang: text, ticks: z.int() });
const refusal = z.looseObject({ code: text, reason: text, hint: text, line: z.int().optional() });
const parsed = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("edit"), edit, explanation: text }),
  z.looseObject({ kind: z.literal("no-change"), explanation: text }),
  z.looseObject({ kind: z.literal("refused"), refusal, explanation: text }),
]);

const resolveOptions = { convention, lang: text, finalNewline: z.enum(FINAL_NEWLINE_POLICIES), history: texts };
const syntaxOptions = {
  syntax: z.enum(SYNTAX_POLICIES),
  python: z.enum(PYTHON_VERSIONS),
  syntaxCheckers: z.record(text, callback.optional()),
};
const applyOptions = { ...resolveOptions, ...syntaxOptions, format, finished: flag, reason: text, baseHash: text };
const parseOptions = z.strictObject({
  format,
  current: text.optional(),
  finished: flag.optional(),
  reason: text.optional(),
});
const serverOptions = {
  token: text,
  timeoutMs: milliseconds,
  retries: count,
  sleep: callback,
  confirmWait: callback,
  settings: z.strictObject({ server: text, model: text, moreTime: text }),
};
const clientOptions = { ...serverOptions, profile: z.enum(PROFILES), api: z.enum(APIS), stream: flag };
const prepareOptions = z.strictObject({ tokens: texts }).partial().optional();
const completion = z.strictObject({
  messages: z.array(ChatMessage),
  prompt: text,
  explain: flag,
  maxTokens: limit,
  plain: z.literal(true).optional(),
});
const model = z.looseObject({ model: text, complete: callback });

/** Options that may be left out. */
const optional = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape).partial().optional();

/** Arguments of a function, by name and in their order. */
type Arguments = Readonly<Record<string, z.ZodType>>;

/** @throws WorkbenchError `bad-request` for an argument of another type, an unknown option or value, or one argument more */
function check(name: string, schemas: Arguments, given: readonly unknown[]): void {
  const names = Object.keys(schemas);
  if (given.length > names.length)
    throw new WorkbenchError("bad-request", `${name} takes ${names.join(", ")}; it got ${given.length} arguments.`);
  for (const [index, argument] of names.entries())
    assertMatches(schemas[argument] as z.ZodType, given[index], `${argument} of ${name}`);
}

// biome-ignore lint/suspicious/noExplicitAny: any function may be called with checked arguments.
type Callable = (...args: any[]) => any;

function checked<F extends Callable>(name: string, schemas: Arguments, call: F): F {
  return ((...given: Parameters<F>) => {
    check(name, schemas, given);
    return call(...given);
  }) as F;
}

/** As `checked`, for functions whose promise is rejected in place of a throw. */
function checkedAsync<F extends (...args: Parameters<F>) => Promise<unknown>>(
  name: string,
  schemas: Arguments,
  call: F,
): F {
  return (async (...given: Parameters<F>) => {
    check(name, schemas, given);
    return call(...given);
  }) as unknown as F;
}

const withCheckedRequests = <C extends ModelClient>(made: C): C => ({
  ...made,
  complete: checkedAsync(
    "complete",
    { request: completion, options: optional({ signal, onText: callback }) },
    made.complete,
  ),
});

export const applyEdit = checkedAsync(
  "applyEdit",
  { current: text, response: z.union([text, parsed]), options: optional(applyOptions) },
  apply,
);
export const resolveEdit = checked("resolveEdit", { current: text, edit, options: optional(resolveOptions) }, resolve);
export const hashText = checked(
  "hashText",
  { text: z.union([text, z.instanceof(Uint8Array)], "a text or bytes") },
  hash,
);
export const applyChatTemplate = checked(
  "applyChatTemplate",
  {
    messages: z.unknown(),
    options: optional({
      chatTemplate: text,
      addGenerationPrompt: flag,
      tokenize: flag,
      tokenizer: callback,
      returnDict: flag,
      returnTensors: flag,
      templates: z.record(text, text),
    }),
  },
  applyTemplate,
);
export const spliceText = checked(
  "spliceText",
  { base: text, splices: z.array(z.looseObject({ start: count, stop: count, text })) },
  splice,
);
export const parseResponse = checked("parseResponse", { text, options: parseOptions }, parse);
export const renderResponse = checked(
  "renderResponse",
  {
    before: text,
    after: text,
    options: z.strictObject({
      format,
      convention: convention.optional(),
      lang: text.optional(),
      explanation: text.optional(),
      finalNewline: z.enum(FINAL_NEWLINE_POLICIES).optional(),
    }),
  },
  renderAnswer,
);
export const chatReply = checked("chatReply", { text }, reply);
export const instructFormat = checked("instructFormat", { current: text, format: format.optional() }, formatToInstruct);
export const instructMessages = checked(
  "instructMessages",
  { sample: Sample, format: z.enum(["wf", "sr"]), refused: z.strictObject({ answer: text, refusal: text }).optional() },
  instructTurns,
);
export const prepareInput = checked("prepareInput", { sample: z.unknown(), format, options: prepareOptions }, prepare);
export const prepareInputForWf = checked(
  "prepareInputForWf",
  { sample: z.unknown(), options: prepareOptions },
  prepareWf,
);
export const prepareInputForLc = checked(
  "prepareInputForLc",
  { sample: z.unknown(), options: prepareOptions },
  prepareLc,
);
export const prepareInputForSr = checked(
  "prepareInputForSr",
  { sample: z.unknown(), options: prepareOptions },
  prepareSr,
);
export const renderPrompt = checked(
  "renderPrompt",
  {
    sample: z.unknown(),
    options: z.strictObject({
      format,
      tokens: texts.optional(),
      chatTemplate: text.optional(),
      templates: z.record(text, text).optional(),
    }),
  },
  render,
);
export const loadTemplates = checkedAsync("loadTemplates", { folder: text }, templates);
export const loadControlTokens = checkedAsync("loadControlTokens", { folder: text }, controlTokens);
export const textForModel = checked("textForModel", { text }, forModel);
export const readSource = checkedAsync("readSource", { path: text }, read);
export const writeSource = checkedAsync(
  "writeSource",
  {
    source: z.looseObject({ path: text, hash: text, newFolder: text.optional() }),
    text: text.nullable(),
  },
  write,
);
export const refusalText = checked("refusalText", { refusal }, asText);
export const identifyServer = checkedAsync(
  "identifyServer",
  { server: z.strictObject({ serverUrl: text, ...z.strictObject(serverOptions).partial().shape }), signal },
  identify,
);
export const serverClient = checked(
  "serverClient",
  { options: z.strictObject({ serverUrl: text, model: text, ...z.strictObject(clientOptions).partial().shape }) },
  (options: Parameters<typeof client>[0]) => withCheckedRequests(client(options)),
);
export const loadLocalModel = checkedAsync(
  "loadLocalModel",
  {
    options: z.strictObject({
      folder: text,
      cwd: text,
      dtype: text.optional(),
      device: text.optional(),
      packagePlaces: z.array(z.instanceof(URL, { error: "a URL" })).optional(),
    }),
  },
  async (options: Parameters<typeof loadLocal>[0]) => withCheckedRequests(await loadLocal(options)),
);
export const requestEdit = checkedAsync(
  "requestEdit",
  {
    request: z.strictObject({
      sample: Sample,
      original: text,
      format,
      convention,
      client: model,
      explain: flag,
      maxTokens: limit,
      retries: count,
      ...z
        .strictObject({
          syntax: z.enum(SYNTAX_POLICIES),
          python: z.enum(PYTHON_VERSIONS),
          instruct: flag,
          signal,
          onDraft: callback,
          onPiece: callback,
          onRefused: callback,
          onContextOverflow: callback,
        })
        .partial().shape,
    }),
  },
  request,
);

/** `ResponseStream` with checked arguments. */
export class ResponseStream extends Stream {
  constructor(...given: ConstructorParameters<typeof Stream>) {
    check("ResponseStream", { options: parseOptions }, given);
    super(...given);
  }
  override push(...given: Parameters<Stream["push"]>) {
    check("push", { chunk: text }, given);
    return super.push(...given);
  }
  override end(...given: Parameters<Stream["end"]>) {
    check("end", { finished: flag.optional() }, given);
    return super.end(...given);
  }
}
