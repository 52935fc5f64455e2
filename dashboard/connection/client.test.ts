import { expect, test } from "vitest";
import { createClient } from "./client.ts";

const timeout = new DOMException("signal timed out", "TimeoutError");
const answering = (body: BodyInit, init?: ResponseInit) => async () => new Response(body, init);
/** An answer that begins and never ends. */
const stalled = new ReadableStream({ pull: (controller) => controller.error(timeout) });

test.each([
  ["no answer", () => Promise.reject(new TypeError("Failed to fetch")), "unreachable", /does not answer/],
  ["no answer before the deadline", () => Promise.reject(timeout), "unreachable", /within 30 s/],
  ["an answer that does not end before the deadline", answering(stalled), "unreachable", /within 30 s/],
  [
    "a problem document",
    answering('{"code":"app-busy","detail":"It is being installed."}', { status: 409 }),
    "app-busy",
    /being installed/,
  ],
  ["an error page", answering("<html>", { status: 502, statusText: "Bad Gateway" }), "internal", /502/],
])("%s rejects with its code and message", async (_, fetch, code, message) => {
  const request = createClient(fetch as typeof globalThis.fetch).get("/api/x");
  await expect(request).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});
