import { describe, expect, test } from "vitest";
import type { AppRun } from "../../evidence/app-run.ts";
import type { RequestFacts } from "../../evidence/evidence.ts";
import { targets } from "../testing/good-evidence.ts";
import { appWithPage, judged, run } from "../testing/judged.ts";

const MOVES = { commands: targets(() => 0.1) };
const withDocument = (document: RequestFacts["document"], sent = 0): RequestFacts => ({ sent, failed: [], document });
const missing = withDocument({ missing: "GET /openapi.json gave 404" });
const unread = withDocument({ unread: "GET /openapi.json gave no answer (timeout)" });
const noRoutes = withDocument({ routes: 0 });
const byItself = { endRequestedAt: null, endCause: "by-itself" } as const;

function judgedBy(id: string, requests: RequestFacts | undefined, changes: Partial<AppRun> = MOVES) {
  const requested = run({ testRun: "random-requests", ...changes });
  const appRuns = id === "UI-004" ? [requested] : [run(MOVES), requested];
  const facts = requests === undefined ? {} : { requests };
  const { status, reason, observations } = judged(id, { app: appWithPage, appRuns, facts });
  return { status, reason, seen: observations.map(({ testRun }) => testRun) };
}

describe("MOT-001", () => {
  const both = ["first-run", "random-requests"];

  test("targets under requests are observed when requests were sent, or the page has no routes", () => {
    for (const requests of [withDocument({ routes: 2 }, 60), noRoutes])
      expect(judgedBy("MOT-001", requests)).toMatchObject({ status: "pass", seen: both });
  });

  test("a page without a document leaves the targets of the other test runs", () => {
    expect(judgedBy("MOT-001", missing)).toMatchObject({ status: "pass", seen: ["first-run"] });
  });

  test("without requests, neither targets nor their absence show what requests cause", () => {
    for (const requests of [unread, withDocument({ routes: 2 }), undefined])
      for (const changes of [MOVES, {}])
        expect(judgedBy("MOT-001", requests, changes)).toMatchObject({ status: "inconclusive" });
    expect(judgedBy("MOT-001", unread).reason).toBe(
      "Targets under random requests: The routes could not be read: GET /openapi.json gave no answer (timeout).",
    );
  });

  test("requests that a later document does not name count", () => {
    expect(judgedBy("MOT-001", { ...unread, sent: 60 })).toMatchObject({ status: "pass", seen: both });
  });

  test("an app that ends by itself before the requests is judged by its other targets", () => {
    expect(judgedBy("MOT-001", undefined, byItself)).toMatchObject({ status: "pass", seen: ["first-run"] });
    const crashed = { ...byItself, exit: { code: 1, signal: null } };
    expect(judgedBy("MOT-001", undefined, crashed).status).toBe("inconclusive");
  });

  test("a target beyond the limits is a violation, whether requests were sent or not", () => {
    const tooFar = { commands: targets(() => 9) };
    for (const requests of [missing, unread, undefined])
      expect(judgedBy("MOT-001", requests, tooFar).status).toBe("fail");
  });
});

test.each([
  ["no routes", noRoutes, "The OpenAPI document of the settings page names no routes."],
  ["no document", missing, "The settings page has no OpenAPI document: GET /openapi.json gave 404."],
])("UI-004 does not concern a page with %s", (_, requests, reason) => {
  expect(judgedBy("UI-004", requests)).toMatchObject({ status: "not-applicable", reason });
});

test("UI-004 does not concern an app that ends by itself before the requests", () => {
  expect(judgedBy("UI-004", undefined, byItself)).toMatchObject({
    status: "not-applicable",
    reason: "The app exited with code 0 before requests were sent.",
  });
});

test("UI-004 is inconclusive, with the reason, when the routes could not be read", () => {
  expect(judgedBy("UI-004", unread)).toMatchObject({
    status: "inconclusive",
    reason: "The routes could not be read: GET /openapi.json gave no answer (timeout).",
  });
  expect(judgedBy("UI-004", undefined, { connectedAt: null }).reason).toBe("The app did not connect.");
});
