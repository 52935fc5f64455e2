import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { answerTo } from "./answers.ts";
import { serveRealtimeSession } from "./realtime.ts";

/** A provider of chat and speech that answers from a script, for apps that would need a key. */
export interface ScriptedProvider {
  /** The variables by which clients of OpenAI-style interfaces find it. */
  readonly variables: Readonly<Record<string, string>>;
  close(): void;
}

/** Bytes of a request; recorded speech is the longest. */
const MAX_BYTES = 32 * 2 ** 20;

/** Serves on a free port of 127.0.0.1. The key is one that no provider knows. */
export async function openScriptedProvider(): Promise<ScriptedProvider> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://provider").pathname;
    try {
      const answer = answerTo(request.method ?? "GET", path, await bodyOf(request));
      response.writeHead(answer.status, { "content-type": answer.type });
      response.end(answer.body);
    } catch {
      response.writeHead(400).end();
    }
  });
  const sockets = new WebSocketServer({ server, path: "/v1/realtime", maxPayload: MAX_BYTES });
  sockets.on("connection", serveRealtimeSession);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    variables: { OPENAI_API_KEY: "sk-scripted", OPENAI_BASE_URL: url, OPENAI_API_BASE: url },
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @throws Error when it is too long */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error("the request is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("latin1");
}
