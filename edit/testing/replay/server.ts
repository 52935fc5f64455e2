import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type NextFunction, type Request, type Response } from "express";
import { z } from "zod";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { applyChatTemplate } from "../../prompt/template.ts";
import { ChatMessage } from "../../sample.ts";
import { TOKEN } from "../../tokens.ts";
import { type AnswerFormat, openAi } from "./answer-formats.ts";
import type { AnswerFault } from "./faults.ts";
import { Generation, generate } from "./generate.ts";
import { respond } from "./respond.ts";

export interface ReplayOptions {
  /** The recorded answer to a prompt; undefined when there is none. */
  answerTo: (prompt: string) => Promise<string | undefined>;
  /** The fault of the nth request for an answer, counted from 0. */
  faultOf?: (request: number) => AnswerFault | undefined;
  /** Called with the path and the headers of each request. */
  onRequest?: (path: string, headers: Request["headers"]) => void;
}

export interface ReplayServer {
  url: string;
  close(): Promise<void>;
}

type AnswerTo = ReplayOptions["answerTo"];

const Completions = Generation.extend({ prompt: z.string() });
const Chat = Generation.extend({ messages: z.array(ChatMessage) });

/**
 * Starts an OpenAI-style model server on 127.0.0.1 that gives recorded answers: `/v1/models`, `/v1/completions` and
 * `/v1/chat/completions`. It treats stop strings and special tokens as vLLM does.
 */
export async function startReplayServer(options: ReplayOptions): Promise<ReplayServer> {
  const { answerTo, faultOf, onRequest } = options;
  const app = express()
    .disable("x-powered-by")
    .use(express.json({ limit: "32mb" }));
  let count = 0;
  const serve = (
    path: string,
    format: AnswerFormat,
    find: (body: unknown) => Promise<[Generation, string | undefined]>,
  ) => {
    app.post(path, async (request, response) => {
      onRequest?.(path, request.headers);
      const fault = faultOf?.(count);
      count += 1;
      const [generation, answer] = await find(request.body);
      if (answer === undefined) return void response.status(404).json(failure(404, "No transcript has this prompt."));
      const stripped = fault === "strip-tokens" ? { ...generation, skip_special_tokens: true } : generation;
      await respond(response, generation, generate(answer, stripped), format, fault);
    });
  };
  app.get("/v1/models", (_request, response) => {
    response.json({ object: "list", data: [{ id: "replay", object: "model", owned_by: "replay" }] });
  });
  serve("/v1/completions", openAi("text_completion"), async (body) => {
    const request = Completions.parse(body);
    return [request, await answerTo(request.prompt)];
  });
  serve("/v1/chat/completions", openAi("chat.completion"), async (body) => {
    const request = Chat.parse(body);
    return [request, await answerToTurns(request.messages, answerTo)];
  });
  app.use((_request, response) => void response.status(404).json(failure(404, "Not Found")));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const wrong = error instanceof z.ZodError || error instanceof WorkbenchError;
    response.status(wrong ? 400 : 500).json(failure(wrong ? 400 : 500, String((error as Error).message)));
  });
  return listen(createServer(app));
}

const failure = (code: number, message: string) => ({ error: { message, type: "replay", param: null, code } });

/** The answer to turns rendered with the family's template, else with the default template. */
async function answerToTurns(messages: ChatMessage[], answerTo: AnswerTo): Promise<string | undefined> {
  const rendered = (chatTemplate: string) => applyChatTemplate(messages, { chatTemplate, addGenerationPrompt: true });
  const edit = await answerTo(rendered("assistant-conversation"));
  return edit === undefined ? answerTo(rendered("default")) : TOKEN.editStart + edit;
}

async function listen(server: ReturnType<typeof createServer>): Promise<ReplayServer> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
