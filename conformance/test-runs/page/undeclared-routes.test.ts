import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { findUndeclaredRoutes, pathsNamedIn, pathsToTry, talkToSockets } from "./undeclared-routes.ts";

test("routes that an app names and its document does not are found, and web sockets are talked to", async () => {
  const folder = temporaryFolder("robot-routes-");
  await writeFile(join(folder, "main.py"), "app.post('/hidden/{angle}'); app.get(\"/known\"); open('/dev/null')");
  const paths = await pathsNamedIn(folder);
  expect(paths).toEqual(["/hidden/{angle}", "/known", "/dev/null"]);
  const base = await serveHttp(({ url, method }, response) => {
    response.statusCode = url === "/hidden/1" && method === "POST" ? 200 : 404;
    response.end();
  });
  const known = { method: "GET", path: "/known", parameters: [], body: null };
  const found = await findUndeclaredRoutes(base, paths, [known], DEADLINE_MS);
  expect(found.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /hidden/{angle}"]);
  expect(await talkToSockets(base, paths, () => ["x"])).toEqual([]);

  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const heard: string[] = [];
  server.on("connection", (socket) => socket.on("message", (data) => heard.push(String(data))));
  const { port } = server.address() as { port: number };
  const opened = await talkToSockets(`http://127.0.0.1:${port}`, ["/ws"], () => ["{}", "x"], DEADLINE_MS);
  expect(opened).toEqual(["/ws"]);
  await expect.poll(() => heard).toEqual(["{}", "x"]);
});

test("routes that are known to exist are tried before paths that files name, and of too many any may be left out", () => {
  const named = Array.from({ length: 100 }, (_, index) => `/named/${index}`);
  const tried = pathsToTry(["/route", "/named/7"], named, Math.random);
  expect(tried.slice(0, 2).sort()).toEqual(["/named/7", "/route"]);
  expect(tried).toHaveLength(60);
  expect(new Set(tried).size).toBe(60);
  const descending = [3, 2, 1];
  expect(pathsToTry(["/a", "/b", "/c"], [], () => descending.shift() ?? 0)).toEqual(["/c", "/b", "/a"]);
});
