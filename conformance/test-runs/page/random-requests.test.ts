import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { Facts } from "../../evidence/evidence.ts";
import type { TestBed } from "../../runner/test-bed.ts";
import { randomRequests } from "./random-requests.ts";

const document = (paths: readonly string[]) =>
  JSON.stringify({ openapi: "3.1.0", paths: Object.fromEntries(paths.map((path) => [path, { get: {} }])) });

/**
 * Sends requests to a page on a bed without an app and without delays, on a machine without a browser.
 * @param documents what the page answers to GET /openapi.json, the last one again; null for no answer
 * @param options whether the app has ended, and how many requests to its routes get no answer at first
 */
async function sendTo(documents: readonly (string | null)[], { hasEnded = false, cutOff = 0 } = {}) {
  const requested: string[] = [];
  let reads = 0;
  let left = cutOff;
  const base = await serveHttp((request, response) => {
    const path = request.url ?? "";
    if (path !== "/openapi.json") {
      requested.push(path);
      if (path !== "/" && left-- > 0) return response.destroy();
      return response.end();
    }
    const answer = documents[Math.min(reads++, documents.length - 1)] ?? null;
    return answer === null ? response.destroy() : response.end(answer);
  });
  const { signal } = new AbortController();
  const facts: Partial<Facts> = {};
  const bed = {
    options: {
      app: { page: { url: base, port: Number(new URL(base).port) } },
      host: { env: {}, signal },
      thoroughness: "default",
    },
    facts,
    random: () => 0.5,
    now: () => 0,
    start: async () => ({ hasEnded }),
    stop: async () => {},
    waitForMilestone: async () => true,
    letRun: async () => {},
    randomDelay: async () => {},
    recordAction: () => {},
    waitFor: (_: number, what: string, condition: () => boolean) => waitFor(300, what, condition),
  };
  await randomRequests.execute(bed as unknown as TestBed);
  return { requests: facts.requests, requested: new Set(requested.filter((path) => path !== "/")), reads };
}

test("requests are sent to each route of the document", async () => {
  const { requests, requested } = await sendTo([document(["/energy"])]);
  expect(requests).toEqual({ sent: 60, failed: [], document: { routes: 1 } });
  expect([...requested]).toEqual(["/energy"]);
});

test("routes that the page declares meanwhile get requests, too", async () => {
  const { requests, requested } = await sendTo([document(["/energy"]), document(["/energy", "/wave"])]);
  expect(requests).toEqual({ sent: 120, failed: [], document: { routes: 2 } });
  expect([...requested]).toEqual(["/energy", "/wave"]);
  expect((await sendTo([document([]), document(["/wave"])])).requests).toMatchObject({ sent: 60 });
});

test("a document without routes is read again before the stop", async () => {
  const { requests, reads } = await sendTo([document([])]);
  expect([requests, reads]).toEqual([{ sent: 0, failed: [], document: { routes: 0 } }, 2]);
});

test("a document without an answer is requested again", async () => {
  expect((await sendTo([null, null, document(["/energy"])])).requests).toMatchObject({ sent: 60 });
  expect((await sendTo([null])).requests).toMatchObject({ sent: 0, document: { unread: expect.any(String) } });
});

test("an app that has ended gets no requests", async () => {
  expect((await sendTo([document(["/energy"])], { hasEnded: true })).requests).toBeUndefined();
});

test("a request without an answer is sent again, and counts when it gets none again", async () => {
  expect((await sendTo([document(["/energy"])], { cutOff: 1 })).requests).toMatchObject({ sent: 60, failed: [] });
  const { requests } = await sendTo([document(["/energy"])], { cutOff: 2 });
  expect(requests).toMatchObject({ sent: 60, failed: [expect.stringContaining("GET /energy was not answered")] });
});
