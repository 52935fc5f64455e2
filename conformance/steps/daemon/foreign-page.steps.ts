import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { Then, When } from "../support/define-steps.ts";

/** What the browser got, and whether it lets the page read it. */
let answer: { status: number; body: string; isReadable: boolean } | undefined;

/** `DAEMON` as host stands for the daemon's own address. The page needs no preflight for a POST without a body. */
When(
  "a browser sends the stop with the host {string} and the origin {string}",
  async function (host: string, origin: string) {
    const { host: own } = new URL(this.daemon.url);
    const headers = { host: host === "DAEMON" ? own : host, origin, "content-length": "0" };
    const sent = request(`${this.daemon.url}/api/apps/stop-current-app`, { method: "POST", headers }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const allowed = response.headers["access-control-allow-origin"];
    const isOwnPage = new URL(origin).host === headers.host;
    answer = {
      status: response.statusCode ?? 0,
      body: await text(response),
      isReadable: isOwnPage || allowed === "*" || allowed === origin,
    };
  },
);

Then("the daemon has refused it", () => {
  assert.ok(answer && answer.status >= 400, JSON.stringify(answer));
});
