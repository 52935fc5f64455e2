import { get } from "node:http";
import { afterEach, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { closeAll, closers, open, startDaemonWithPage } from "../testing/app-page-daemon.ts";

afterEach(closeAll);

/** A page that answers what it was sent. */
const pageThatRepeats = () =>
  open((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method, url, headers } = request;
      response.setHeader("set-cookie", "robot_token=b").setHeader("cache-control", "max-age=3600");
      response.setHeader("x-frame-options", "DENY").setHeader("x-answer", "yes");
      response.setHeader("content-security-policy", "script-src 'self'; frame-ancestors 'none'");
      response.end(JSON.stringify({ method, url, headers, body }));
    });
  });

interface Repeated {
  url: string;
  headers: Record<string, string>;
  body: string;
}

test("the page of the app that runs has a port of its own, is not kept and may be in a frame of the dashboard only", async () => {
  const { url, enter, pageUrl } = await startDaemonWithPage((await pageThatRepeats()).port);
  const page = await pageUrl();
  expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(page).not.toBe(url);
  const entered = await enter("/apps/my-app/page/start/a%20b?c=1&d=?");
  expect([entered.status, entered.headers.get("location")]).toEqual([307, `${page}/start/a%20b?c=1&d=?`]);

  const answer = await fetch(`${page}/a%20b?c=1`, { method: "POST", body: "hello" });
  expect(await answer.json()).toMatchObject({ method: "POST", url: "/a%20b?c=1", body: "hello" });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "no-store",
    "content-security-policy": `frame-ancestors 'self' ${url}, script-src 'self';`,
    "x-answer": "yes",
  });
  for (const name of ["set-cookie", "x-frame-options"]) expect(answer.headers.has(name)).toBe(false);
});

test("the page gets neither cookies nor the token of the client; it gets the daemon's token", async () => {
  const sent = async (token: string | null, headers: Record<string, string>): Promise<Repeated> => {
    const { pageUrl } = await startDaemonWithPage((await pageThatRepeats()).port, token);
    const page = await pageUrl();
    return (await (await fetch(page, { headers: { ...headers, origin: page } })).json()) as Repeated;
  };
  const { headers } = await sent(null, { cookie: "robot_token=t; other=1", authorization: "Bearer u" });
  for (const name of ["cookie", "authorization", "origin"]) expect(headers).not.toHaveProperty(name);
  const wireless = (await sent("t", { cookie: "robot_token=t" })).headers;
  expect(wireless.authorization).toBe("Bearer t");
  expect(wireless).not.toHaveProperty("cookie");
});

test.each([
  ["another origin", { origin: "http://127.0.0.1:1" }, 403],
  ["a frame of another site", framed("cross-site"), 403],
  ["a link of another site", framed("cross-site", "document"), 403],
  ["a script of another port", { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }, 403],
  ["no token", { cookie: "" }, 401],
  ["a frame of the dashboard", framed("same-site"), 200],
])("a request of %s is answered by the access policy", async (_, headers, status) => {
  const { pageUrl } = await startDaemonWithPage((await pageThatRepeats()).port, "t");
  const page = await pageUrl();
  // `fetch` sends headers of its own about where a request comes from.
  const answered = new Promise((resolve, reject) => {
    const request = get(page, { headers: { cookie: "robot_token=t", ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.on("error", reject);
  });
  expect(await answered).toBe(status);
});

function framed(site: string, dest = "iframe") {
  return { "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": dest };
}

test("a redirect to the app's own address leads to the page's; one to elsewhere stays", async () => {
  const app = await open(({ url }, response) => {
    const to = url === "/out" ? "https://example.com/login" : `http://0.0.0.0:${app.port}/new?x=1`;
    response.writeHead(302, { location: to }).end();
  });
  const page = await (await startDaemonWithPage(app.port)).pageUrl();
  const location = async (path: string) => (await fetch(page + path, { redirect: "manual" })).headers.get("location");
  expect(await location("/old")).toBe("/new?x=1");
  expect(await location("/out")).toBe("https://example.com/login");
});

test("WebSockets of the page reach the app; those of another origin are refused", async () => {
  const app = await open(() => {});
  const sockets = new WebSocketServer({ server: app });
  sockets.on("connection", (socket, { headers, url }) => {
    socket.send(JSON.stringify({ url, headers }));
    socket.on("message", (data) => socket.send(`back ${data}`));
  });
  closers.push(() => sockets.close());
  const page = await (await startDaemonWithPage(app.port, "t")).pageUrl();
  const connect = (origin: string) =>
    new WebSocket(`${page.replace("http", "ws")}/live?x=1`, { origin, headers: { cookie: "robot_token=t" } });
  const socket = connect(page);
  closers.push(() => socket.terminate());
  const messages: string[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data) => {
      messages.push(String(data));
      if (messages.length === 1) socket.send("hello");
      else resolve();
    });
  });
  const { url, headers } = JSON.parse(messages[0] ?? "") as Repeated;
  expect([url, headers.authorization, headers.cookie, headers.origin]).toEqual([
    "/live?x=1",
    "Bearer t",
    undefined,
    undefined,
  ]);
  expect(messages[1]).toBe("back hello");
  const refused = connect("http://127.0.0.1:1");
  expect(await new Promise((resolve) => refused.once("error", ({ message }) => resolve(message)))).toMatch(/403/);
});

test("the port of an app's page never reaches another app, and an app that is stopping has no page", async () => {
  const { slot, enter, pageUrl } = await startDaemonWithPage((await pageThatRepeats()).port);
  const page = await pageUrl();
  const why = async (answer: Response) => ((await answer.json()) as { detail: string }).detail;
  slot.status = { ...slot.status, state: "stopping" };
  expect(await why(await fetch(page))).toContain("it does not run");
  slot.status = { ...slot.status, state: "running", info: { ...slot.status.info, name: "other" } };
  expect(await why(await fetch(page))).toContain("it does not run");
  expect(await why(await enter("/apps/my_app/page/"))).toContain("it does not run");
  const other = new URL((await enter("/apps/other/page")).headers.get("location") ?? "").origin;
  expect(other).not.toBe(page);
  expect((await fetch(other)).status).toBe(200);
});

test("an app has no page without an address, and none at the daemon's own port", async () => {
  const none = await startDaemonWithPage(null);
  expect(await (await none.enter("/apps/my_app/page/")).json()).toMatchObject({
    code: "page-unreachable",
    detail: expect.stringContaining("custom_app_url"),
  });
  const { extra } = none.slot.status.info;
  extra.custom_app_url = none.url;
  expect(await (await none.enter("/apps/my_app/page/")).json()).toMatchObject({
    detail: expect.stringContaining("the daemon's own"),
  });
});

test("a page that comes up after its app is waited for; one that ends the connection is reported", async () => {
  const { port } = await open(() => {});
  const close = closers.pop();
  close?.();
  const page = await (await startDaemonWithPage(port)).pageUrl();
  const answer = fetch(page);
  await open((_request, response) => void response.end("here"), port);
  expect(await (await answer).text()).toBe("here");

  const rude = await startDaemonWithPage((await open(({ socket }) => void socket.destroy())).port);
  expect((await fetch(await rude.pageUrl())).status).toBe(502);
});
