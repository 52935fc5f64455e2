import { expect, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { findServerUrl } from "./find-server.ts";

const { signal } = new AbortController();
const NOBODY = "http://127.0.0.1:1";
const server = (status: number, body: unknown) =>
  serveHttp((request, response) => {
    expect(request.headers.authorization).toBeUndefined();
    response.statusCode = status;
    response.end(JSON.stringify(body));
  });

test("the first address with a list of models is chosen, and the daemon is no model server", async () => {
  const daemon = await server(404, { code: "not-found" });
  const closedDaemon = await server(401, { code: "token-required" });
  const model = await server(200, { data: [{ id: "m" }] });
  const closed = await server(401, { error: "no token" });
  expect(await findServerUrl(signal, [NOBODY, daemon, closedDaemon, model])).toBe(model);
  expect(await findServerUrl(signal, [daemon, closed, model])).toBe(closed);
  expect(await findServerUrl(signal, [NOBODY, daemon])).toBe(NOBODY);
});
