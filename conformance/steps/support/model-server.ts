import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request to one of its endpoints. */
interface ModelRequest {
  path: string;
  body: Buffer;
}

/** A service with OpenAI-style endpoints and scripted answers, for the conversation template. */
export interface ModelServer {
  /** Without a slash at the end. */
  url: string;
  requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/** The scripted answers. */
interface ModelScript {
  /** The transcript of any speech. */
  transcript: string;
  /** The tool call of the first answer. */
  toolCall: { name: string; arguments: unknown };
  /** The answer after the tool's result. */
  reply: string;
  /** The reply as a WAV file. */
  speech: Uint8Array;
}

/** Serves on a free port of 127.0.0.1. */
export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const path = request.url ?? "";
    requests.push({ path, body });
    if (path === "/v1/audio/speech") response.end(script.speech);
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

function answerTo(path: string, body: Buffer, { transcript, toolCall, reply }: ModelScript): unknown {
  if (path === "/v1/audio/transcriptions") return { text: transcript };
  const { messages } = JSON.parse(body.toString("utf8")) as { messages: { role: string }[] };
  if (messages.at(-1)?.role === "tool") return { choices: [{ message: { role: "assistant", content: reply } }] };
  const call = { name: toolCall.name, arguments: JSON.stringify(toolCall.arguments) };
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: call }],
  };
  return { choices: [{ message }] };
}
