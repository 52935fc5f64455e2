import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Job } from "../../robot/wire/apps/jobs.ts";
import { ERRORS } from "../../robot/wire/errors.ts";
import type { OpenApi } from "./rest/openapi.ts";
import { type RandomRequest, randomRequests } from "./testing/random-requests.ts";
import { type Answer, startTestDaemon, type TestDaemon } from "./testing/test-daemon.ts";

/** Names that this daemon knows. */
const NAMES = ["obedient", "Obedient", "exits_by_itself", "enabled", "disabled", "head", "ball", "motors-off", "hand"];
const RUNS = Number(process.env.FC_RUNS ?? 300);
const SEED = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon(["obedient"]);
});
afterAll(() => daemon.close());

/** Streams do not end by themselves; other tests read them. */
const isStream = ({ path }: RandomRequest) => /^\/api\/(?:events|camera\/stream)|follow=/.test(path);

function checkAnswer({ operation, path, method }: RandomRequest, { status, headers, text }: Answer): void {
  const declared = Object.keys(operation.responses).map(Number);
  if (status >= 500) expect(declared, `${method} ${path} answered ${text}`).toContain(status);
  if (status < 400 || method === "HEAD") return;
  expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
  const problem = JSON.parse(text);
  expect(Object.keys(ERRORS)).toContain(problem.code);
  expect(problem).toMatchObject({ status, type: `/errors/${problem.code}`, detail: expect.stringMatching(/./) });
}

test("random requests do not break the daemon, and an app can be started and stopped afterwards", async () => {
  const document = await daemon.json<OpenApi>("/openapi.json");
  const answers = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(randomRequests(document, NAMES), async (request) => {
      fc.pre(!isStream(request));
      const answer = await daemon.request(request.path, request);
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
      checkAnswer(request, answer);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
  // Requests that are all refused would prove nothing.
  expect(answers.get(200)).toBeGreaterThan(RUNS / 10);
  expect(answers.get(422)).toBeGreaterThan(RUNS / 20);
  expect(daemon.output()).not.toContain("a route failed");

  await daemon.request("/api/apps/stop-current-app", { method: "POST" });
  for (const { job_id } of await daemon.json<Job[]>("/api/apps/jobs"))
    await daemon.request(`/api/apps/job-cancel/${job_id}`, { method: "POST" });
  expect(await daemon.json("/api/apps/start-app/obedient", "POST")).toMatchObject({ state: "starting", error: null });
  const stopped = await daemon.json("/api/apps/stop-current-app", "POST");
  expect(stopped).toMatchObject({ state: "done", error: null });
});
