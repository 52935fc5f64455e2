import { expect, test } from "vitest";
import { answerJson, serveHttp } from "../../../common/testing/http-server.ts";
import { HubAccount } from "./hub-account.ts";

const TOKEN = "hf_secret";

/** A hub that answers everything alike. */
async function hubAnswering(status: number, body: unknown, signal = new AbortController().signal) {
  return new HubAccount(await serveHttp(answerJson(status, body)), TOKEN, signal);
}

test.each([
  [401, "hub-token", "does not know this token. Run hf auth login"],
  [402, "publish-refused", "answers with 402 (no more room"],
  [403, "hub-token", "with a token that has Write permission"],
  [429, "publish-refused", "or try again later"],
  [500, "hub-unreachable", "Try again later"],
])("an answer of %i is %s", async (status, code, words) => {
  const hub = await hubAnswering(status, { error: `no more room, says ${TOKEN}` });
  const made = hub.createSpace("me/my_app", false);
  await expect(made).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  await expect(made).rejects.not.toThrow(TOKEN);
});

test("a missing space is null, and an existing one may be private", async () => {
  expect(await (await hubAnswering(404, { error: "Repository not found" })).space("me/my_app")).toBeNull();
  const space = { _id: "1", id: "me/my_app", private: true, likes: 0, lastModified: "2024-01-01T00:00:00Z" };
  expect(await (await hubAnswering(200, space)).space("me/my_app")).toMatchObject({ private: true });
});

test("a read-only token is refused before anything is created", async () => {
  const hub = await hubAnswering(200, { type: "user", name: "me", auth: { accessToken: { role: "read" } } });
  await expect(hub.user()).rejects.toMatchObject({ code: "hub-token", message: expect.stringContaining("only read") });
});

test("an abort is not reported as a fault of the hub", async () => {
  const hub = await hubAnswering(200, {}, AbortSignal.abort(new Error("Interrupted.")));
  await expect(hub.user()).rejects.toThrow("Interrupted.");
});

test.each([null, 1, "x", [], {}, { name: 7 }, { type: "user", name: "me", orgs: "none" }])(
  "a hub that answers %j gets an error of the registry, in no words of JavaScript",
  async (body) => {
    const hub = await hubAnswering(200, body);
    const change = { title: "t", description: "", operations: [], parentCommit: undefined };
    for (const call of [hub.user(), hub.space("me/my_app"), hub.commit("me/my_app", change)]) {
      const error = (await call.catch((reason: unknown) => reason)) as Error;
      expect(error).toMatchObject({ code: expect.stringMatching(/^(hub-answer|publish-refused)$/) });
      expect(error.message).not.toMatch(/undefined|is not (iterable|a function)|Cannot read|Unexpected token/);
    }
  },
);

test("an answer without end is cut off", async () => {
  const hub = await hubAnswering(200, { name: "x".repeat(5_000_000) });
  await expect(hub.user()).rejects.toMatchObject({
    code: "hub-answer",
    message: expect.stringMatching(/has more than 4 MB\. Check --hub-url\./),
  });
});
