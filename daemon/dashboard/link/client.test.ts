import { expect, test } from "vitest";
import { createClient } from "./client.ts";

const late = new DOMException("signal timed out", "TimeoutError");
const answering = (body: BodyInit, init?: ResponseInit) => async () => new Response(body, init);
/** An answer that begins and never ends. */
const stalled = new ReadableStream({ pull: (controller) => controller.error(late) });

test.each([
  ["no answer at all", () => Promise.reject(new TypeError("Failed to fetch")), "unreachable", /does not answer/],
  ["no answer in time", () => Promise.reject(late), "unreachable", /within 30 s/],
  ["an answer that does not end in time", answering(stalled), "unreachable", /within 30 s/],
  [
    "a refusal",
    answering('{"code":"app-busy","detail":"It is being installed."}', { status: 409 }),
    "app-busy",
    /being installed/,
  ],
  ["a refusal in nobody's words", answering("<html>", { status: 502, statusText: "Bad Gateway" }), "internal", /502/],
])("%s", async (_, fetch, code, message) => {
  const asked = createClient(fetch as typeof globalThis.fetch).get("/api/x");
  await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});
