import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What came to one of its endpoints. */
export interface ModelRequest {
  path: string;
  body: Buffer;
}

/** A service with OpenAI-style endpoints that says what a scenario wants: what an app that converses talks to. */
export interface ModelServer {
  /** Without a slash at the end. */
  url: string;
  requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/** What it says. */
export interface Script {
  /** What it makes of any speech. */
  hears: string;
  /** The tool that it calls first, with its arguments. */
  calls: { name: string; arguments: unknown };
  /** What it answers then. */
  says: string;
  /** How that sounds: a WAV file. */
  voice: Uint8Array;
}

/** Serves on a free port of this machine. */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const path = request.url ?? "";
    requests.push({ path, body });
    if (path === "/v1/audio/speech") response.end(script.voice);
    else response.setHeader("content-type", "application/json").end(JSON.stringify(answerTo(path, body, script)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerTo(path: string, body: Buffer, { hears, calls, says }: Script): unknown {
  if (path === "/v1/audio/transcriptions") return { text: hears };
  const { messages } = JSON.parse(body.toString("utf8")) as { messages: { role: string }[] };
  if (messages.at(-1)?.role === "tool") return { choices: [{ message: { role: "assistant", content: says } }] };
  const call = { name: calls.name, arguments: JSON.stringify(calls.arguments) };
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: call }],
  };
  return { choices: [{ message }] };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
