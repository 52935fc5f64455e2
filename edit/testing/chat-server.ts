import { serveHttp } from "../../common/testing/http-server.ts";

interface Turn {
  role: string;
  content: string;
}

/**
 * Starts a chat server of the OpenAI interface, without control tokens, that gives these answers in turn, the last one again.
 * @returns its address and the turns of each request
 */
export async function startChatServer(answers: readonly string[]): Promise<{ url: string; asked: Turn[][] }> {
  const asked: Turn[][] = [];
  const url = await serveHttp((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      if (request.url === "/v1/models") return response.end(JSON.stringify({ data: [{ id: "chat" }] }));
      if (request.url !== "/v1/chat/completions") {
        response.statusCode = 404;
        return response.end("{}");
      }
      const { messages } = JSON.parse(body) as { messages: Turn[] };
      const content = answers[Math.min(asked.length, answers.length - 1)];
      asked.push(messages);
      return response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }));
    });
  });
  return { url, asked };
}
