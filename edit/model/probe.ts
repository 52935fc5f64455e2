import { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { applyEdit } from "../apply/apply.ts";
import { fromEditStart, instructMessages } from "../prompt/instruct.ts";
import { prepareInputForWf } from "../prompt/messages.ts";
import { renderPrompt } from "../prompt/render-prompt.ts";
import { applyChatTemplate } from "../prompt/template.ts";
import type { ChatMessage, Sample } from "../sample.ts";
import { TOKEN } from "../tokens.ts";
import { isModelFailure } from "./error-messages.ts";
import { type ModelServerOptions, parseJsonOrText, ServerError, send, withDeadline } from "./http.ts";
import { identifyServer } from "./identify.ts";
import { type Profile, type ProfileName, SERVER_PROFILES } from "./profiles.ts";
import { serverClient } from "./server-client.ts";
import { TERMINAL_SETTINGS } from "./setting-names.ts";
import type { ModelClient } from "./types.ts";

export interface Finding {
  /** The behaviour that is asked for, for example `control tokens arrive in the answer`. */
  question: string;
  /** `unknown` when the server has no interface by which to find out. */
  answer: "yes" | "no" | "unknown";
  /** What the server did, for people. */
  detail: string;
  /** How to start the server, or which model to use, so that the answer becomes yes; only with `no`. */
  fix?: string;
}

export interface ProbeReport {
  serverUrl: string;
  profile: ProfileName;
  model: string;
  findings: Finding[];
  /** Whether edits will work: the token that closes an edit reaches the client. */
  usable: boolean;
  /** See `isTrainedForEdits`. */
  trained: boolean | null;
  /** Whether the model makes an edit when the format is given as instructions; false without a request when `usable`. */
  instructable: boolean;
}

/** A task whose edit is known, `PROBE_EDIT`: a model that was trained for edits closes it with its token. */
export const PROBE_SAMPLE: Sample = {
  history: [],
  current: { type: "code", lang: "python", code: "x = 1" },
  user: "Keep the code as it is.",
};
const PROBE_EDIT = "```python\nx = 1\n```";

interface ProbeTarget {
  server: ModelServerOptions;
  client: ModelClient;
  model: string;
  name: ProfileName;
  profile: Profile;
  signal: AbortSignal;
}

/**
 * Finds out the kind of a server, whether control tokens, chat roles and chat template of the edit formats work with it, and
 * how to change that where they do not.
 * @param requestedModel default: the first model that the server names
 * @throws WorkbenchError `model-unreachable`, `model-failed`, `deadline-passed`
 */
export async function probeServer(
  server: ModelServerOptions,
  requestedModel: string | undefined,
  signal: AbortSignal,
): Promise<ProbeReport> {
  const { profile: name, models } = await identifyServer(server, signal);
  const model = requestedModel ?? models[0];
  if (model === undefined)
    throw new WorkbenchError(
      "model-failed",
      `${server.serverUrl} names no model; give one with ${(server.settings ?? TERMINAL_SETTINGS).model}.`,
    );
  const client = serverClient({ ...server, model, profile: name, stream: false });
  const probed: ProbeTarget = { server, client, model, name, profile: SERVER_PROFILES[name], signal };
  const closing = await completeEdit(client, signal);
  const findings = [
    await tokensArrive(closing, probed),
    await tokensAreKnown(probed),
    await rolesAreAccepted(probed),
    await templateMatches(probed),
  ];
  const trained = isTrainedBy(closing);
  const usable = trained === true;
  const instructed = usable ? undefined : await followsInstructions(probed);
  if (instructed) findings.push(instructed);
  const instructable = instructed?.answer === "yes";
  return { serverUrl: server.serverUrl, profile: name, model, findings, usable, trained, instructable };
}

function tokensArrive(closing: string | WorkbenchError, { profile }: ProbeTarget): Promise<Finding> {
  return ask("control tokens arrive in the answer", profile.keepTokens, async () => {
    if (typeof closing !== "string") throw closing;
    const detail = `after a finished edit it answered ${JSON.stringify(closing)}`;
    return { yes: closing.includes(TOKEN.editEnd), detail };
  });
}

const CLOSING_PROMPT = renderPrompt(PROBE_SAMPLE, { format: "wf" }) + PROBE_EDIT;

/** What a model writes after a finished edit, or why the question failed. One request of 8 tokens. */
async function completeEdit(client: ModelClient, signal: AbortSignal): Promise<string | WorkbenchError> {
  const request = { messages: [], prompt: CLOSING_PROMPT, explain: true, maxTokens: 8 };
  try {
    return (await client.complete(request, { signal })).text;
  } catch (error) {
    if (isModelFailure(error)) return error;
    throw error;
  }
}

const isTrainedBy = (closing: string | WorkbenchError): boolean | null =>
  typeof closing === "string" ? closing.includes(TOKEN.editEnd) : cannotAnswer(closing) ? false : null;

/**
 * Asks whether a model was trained for the formats: then it closes an edit with its token. False also where a server has only
 * chats.
 * @returns null when the question failed, which says nothing about the model
 * @throws WorkbenchError `model-unreachable`, `deadline-passed`; the signal's reason
 */
export const isTrainedForEdits = async (client: ModelClient, signal: AbortSignal): Promise<boolean | null> =>
  isTrainedBy(await completeEdit(client, signal));

async function followsInstructions({ client, signal }: ProbeTarget): Promise<Finding> {
  const sample: Sample = { ...PROBE_SAMPLE, user: "Set x to 2." };
  return ask("the model makes an edit from instructions", "a larger model", async () => {
    const request = {
      messages: instructMessages(sample, "sr"),
      prompt: "",
      explain: true,
      maxTokens: 2048,
      plain: true as const,
    };
    const { text } = await client.complete(request, { signal });
    const outcome = await applyEdit("x = 1", fromEditStart(text), { format: "sr", lang: "python" });
    const yes = outcome.status === "applied" && outcome.result === "x = 2";
    return { yes, detail: `it answered ${JSON.stringify(text.slice(0, 200))}` };
  });
}

async function tokensAreKnown({ server, model, name, signal }: ProbeTarget): Promise<Finding> {
  const question = "control tokens are single tokens of the model";
  const body =
    name === "llamacpp"
      ? { content: TOKEN.editEnd, parse_special: true, add_special: false }
      : { model, prompt: TOKEN.editEnd, add_special_tokens: false };
  return ask(question, "a model of this family: its tokenizer has them as added tokens", async () => {
    const { tokens } = await post(server, "/tokenize", body, z.object({ tokens: z.array(z.unknown()) }), signal);
    return { yes: tokens.length === 1, detail: `${TOKEN.editEnd} makes ${tokens.length} token(s)` };
  });
}

async function rolesAreAccepted({ server, model, profile, signal }: ProbeTarget): Promise<Finding> {
  const question = "chat takes the roles history and current";
  const history = [PROBE_SAMPLE.current];
  const messages = prepareInputForWf({ ...PROBE_SAMPLE, history });
  return ask(question, profile.acceptRoles, async () => {
    await withDeadline(server, signal, async (limited) => {
      const body = { model, messages, max_tokens: 1, temperature: 0 };
      await (await send(server, "/v1/chat/completions", body, limited)).text();
    });
    return { yes: true, detail: "a request with them was answered" };
  });
}

async function templateMatches(probed: ProbeTarget): Promise<Finding> {
  const question = "the server's chat template is the model family's";
  const messages = prepareInputForWf(PROBE_SAMPLE);
  const expectedPrompts = ["assistant-conversation", "default"].map((chatTemplate) =>
    applyChatTemplate(messages, { chatTemplate, addGenerationPrompt: true }),
  );
  return ask(question, probed.profile.acceptRoles, async () => {
    const prompt = await renderedByServer(messages, probed);
    return { yes: expectedPrompts.includes(prompt), detail: `it renders ${JSON.stringify(prompt.slice(0, 80))}...` };
  });
}

async function renderedByServer(messages: readonly ChatMessage[], { server, model, name, signal }: ProbeTarget) {
  const Prompt = z.object({ prompt: z.string() });
  if (name === "llamacpp") return (await post(server, "/apply-template", { messages }, Prompt, signal)).prompt;
  const Tokens = z.object({ tokens: z.array(z.number()) });
  const asked = { model, messages, add_generation_prompt: true };
  const { tokens } = await post(server, "/tokenize", asked, Tokens, signal);
  return (await post(server, "/detokenize", { model, tokens }, Prompt, signal)).prompt;
}

/**
 * Asks a question. The status 404, 405 or 501, or an answer of another shape, means that the server cannot answer it; any
 * other error of the model means no.
 * @throws WorkbenchError of any other code than `model-failed`
 */
async function ask(
  question: string,
  fix: string,
  answer: () => Promise<{ yes: boolean; detail: string }>,
): Promise<Finding> {
  try {
    const { yes, detail } = await answer();
    return yes ? { question, answer: "yes", detail } : { question, answer: "no", detail, fix };
  } catch (error) {
    if (!isModelFailure(error)) throw error;
    return cannotAnswer(error)
      ? { question, answer: "unknown", detail: "this server cannot answer the question" }
      : { question, answer: "no", detail: error.message, fix };
  }
}

const cannotAnswer = (error: WorkbenchError) =>
  error instanceof UnknownShape || (error instanceof ServerError && [404, 405, 501].includes(error.status));

/** A good answer that is not one to the question. */
class UnknownShape extends WorkbenchError {}

/** @throws WorkbenchError `model-failed` for an answer that does not have the shape; as `send` and `withDeadline` */
async function post<T>(
  server: ModelServerOptions,
  path: string,
  body: unknown,
  shape: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  const answer = await withDeadline(server, signal, async (limited) =>
    (await send(server, path, body, limited)).text(),
  );
  const parsed = shape.safeParse(parseJsonOrText(answer));
  if (parsed.success) return parsed.data;
  throw new UnknownShape("model-failed", `${path} gave an answer of another shape.`);
}
