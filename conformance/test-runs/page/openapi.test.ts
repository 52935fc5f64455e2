import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { readRoutes } from "./openapi.ts";

const document = (paths: unknown) => JSON.stringify({ openapi: "3.1.0", info: {}, paths });
const energy = { parameters: [{ name: "percent", in: "path", schema: { type: "integer" } }] };

/** What is read of a page that answers GET /openapi.json. */
async function read(status: number, body: string) {
  const url = await serveHttp((request, response) => {
    response.statusCode = request.url === "/openapi.json" ? status : 404;
    response.end(body);
  });
  return readRoutes(url);
}

test("the routes of a document are read with their schemas", async () => {
  const { routes, document: facts } = await read(200, document({ "/energy/{percent}": { post: energy, summary: "" } }));
  expect(routes).toEqual([
    {
      method: "POST",
      path: "/energy/{percent}",
      parameters: [{ name: "percent", in: "path", schema: { type: "integer" } }],
      body: null,
    },
  ]);
  expect(facts).toEqual({ routes: 1 });
});

test.each([
  ["without routes", 200, document({}), { routes: 0 }],
  ["that is not there", 404, "", { missing: "GET /openapi.json gave 404" }],
  ["that is another file", 200, "<p>", { missing: "GET /openapi.json gave no OpenAPI document" }],
  ["that is other JSON", 200, "{}", { missing: "GET /openapi.json gave no OpenAPI document" }],
  ["with an error", 500, "", { unread: "GET /openapi.json gave 500" }],
  [
    "of another form",
    200,
    document({ "/a": { get: { parameters: 1 } } }),
    { unread: "GET /openapi.json gave a document that cannot be read" },
  ],
])("a document %s", async (_, status, body, facts) => {
  expect(await read(status, body)).toEqual({ routes: [], schemas: {}, document: facts });
});

test("a page that does not answer has a document that was not read", async () => {
  const { document: facts } = await readRoutes("http://127.0.0.1:9");
  expect(facts).toEqual({ unread: expect.stringContaining("gave no answer") });
});
