import fc from "fast-check";
import { expect, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { identifyServer } from "./identify.ts";
import { serverAddress } from "./server-address.ts";
import { serverClient } from "./server-client.ts";

const request = { messages: [], prompt: "p", explain: true, maxTokens: 100, plain: true } as const;
const { signal } = new AbortController();
const ANSWER = { choices: [{ message: { content: "Yes." }, finish_reason: "stop" }] };

/** Serves the interface below a path, and 404 elsewhere; collects what was asked. */
async function mounted(path: string) {
  const asked: { url: string | undefined; authorization: string | undefined }[] = [];
  const url = await serveHttp((incoming, response) => {
    asked.push({ url: incoming.url, authorization: incoming.headers.authorization });
    const at = incoming.url?.split("?")[0];
    if (at === `${path}/models`) return response.end('{"data": [{"id": "m", "owned_by": "me"}]}');
    if (at === `${path}/chat/completions`) return response.end(JSON.stringify(ANSWER));
    return response.writeHead(404).end("<html><title>Not Found</title></html>");
  });
  return { url, asked };
}

test.each([
  ["/v1", ""],
  ["/v1", "/"],
  ["/v1", "/v1"],
  ["/v1", "/v1/"],
  ["/v1", "/v1/chat/completions"],
  ["/v1", "?key=1"],
  ["/v1", "/v1?api-version=2"],
  ["/v1", "/v1/models/?a=b#c"],
  ["/v3", "/v3"],
  ["/api/v1", "/api"],
  ["/api/v1", "/api/v1"],
  ["/engines/v1", "/engines"],
  ["/v1beta/openai", "/v1beta/openai"],
  ["/openai/deployments/m", "/openai/deployments/m?api-version=2024-10-21"],
  ["", ""],
  ["", "/chat/completions"],
])("an interface at %j is found by the address %j, with its query", async (path, address) => {
  const { url, asked } = await mounted(path);
  const serverUrl = url + address;
  expect(await identifyServer({ serverUrl }, signal)).toMatchObject({ models: ["m"] });
  expect((await serverClient({ serverUrl, model: "m", stream: false }).complete(request)).text).toBe("Yes.");
  const query = /\?[^#]*/.exec(address)?.[0] ?? "";
  for (const each of asked) expect(each.url).toBe((each.url?.split("?")[0] ?? "") + query);
});

test("the model's own 404 is the error, not that of the other address", async () => {
  const url = await serveHttp((incoming, response) => {
    const isRoute = incoming.url?.startsWith("/v1/");
    response.writeHead(404).end(isRoute ? '{"error": {"message": "The model m does not exist"}}' : "Cannot POST");
  });
  await expect(serverClient({ serverUrl: url, model: "m" }).complete(request)).rejects.toThrow(/m does not exist/);
});

const secret = fc
  .stringMatching(/^[\w%:@/?#.~é -]{6,20}$/)
  .filter((text) => text.trim() === text && !/^[./]+$/.test(text));

test("credentials of an address are sent in their header, and in no message", async () => {
  await fc.assert(
    fc.asyncProperty(
      secret,
      secret,
      secret,
      fc.constantFrom(400, 401, 404, 429, 500, 0, 200),
      async (user, password, key, status) => {
        const seen: (string | undefined)[] = [];
        const url = await serveHttp((incoming, response) => {
          seen.push(incoming.headers.authorization);
          if (status === 0) return response.destroy();
          const basic = Buffer.from(incoming.headers.authorization?.slice(6) ?? "", "base64").toString();
          return response.writeHead(status).end(JSON.stringify({ error: `Who is ${basic} at ${incoming.url}?` }));
        });
        const address = new URL(url);
        [address.username, address.password] = [encodeURIComponent(user), encodeURIComponent(password)];
        address.searchParams.set("key", key);
        const client = serverClient({ serverUrl: address.href, model: "m", retries: 0 });
        const server = { serverUrl: address.href, retries: 0 };
        for (const ask of [() => client.complete(request), () => identifyServer(server, signal)]) {
          const error = await ask().then(
            () => new Error(""),
            (each: Error) => each,
          );
          for (const hidden of [user, password, key, encodeURIComponent(password), address.search])
            expect(`${error.stack} ${JSON.stringify(error)} ${error.message}`).not.toContain(hidden);
        }
        expect(seen[0]).toBe(`Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`);
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  "localhost:8001",
  "user:pass-word@host",
  "ftp://user:pass-word@host",
  "http://",
  "",
  "http://user:pass-word@",
])("%j is no address, and the message does not repeat it", (text) => {
  expect(() => serverAddress(text)).toThrow("must look like http://127.0.0.1:8001");
  try {
    serverAddress(text);
  } catch (error) {
    expect(String(error)).not.toContain("pass-word");
  }
});
