import { describe, expect, test } from "vitest";
import type { AppRun } from "../../evidence/app-run.ts";
import type { Facts } from "../../evidence/evidence.ts";
import { appWithPage, judged, run } from "../testing/judged.ts";

const page = {
  answer: "nothing listened",
  availableAfter: null,
  appEnded: true,
  brokenReferences: [],
  staticFiles: null,
};
const ended = (code: number) =>
  run({ testRun: "first-run", endCause: "by-itself", endRequestedAt: null, exit: { code, signal: null } });

test.each(["UI-001", "UI-003", "UI-005"])("%s does not concern the page of an app that ends by itself", (id) => {
  const { status, reason } = judged(id, { app: appWithPage, appRuns: [ended(0)], facts: { page } });
  expect([status, reason]).toEqual(["not-applicable", "The app exited with code 0 while its page was requested."]);
});

test("an app that crashes has no page", () => {
  expect(judged("UI-001", { app: appWithPage, appRuns: [ended(1)], facts: { page } }).status).toBe("fail");
});

test.each(["UI-001", "UI-003", "UI-005"])("%s does not concern an app that ends before its page is requested", (id) => {
  const { status, reason } = judged(id, { app: appWithPage, appRuns: [ended(0)], facts: {} });
  expect([status, reason]).toEqual(["not-applicable", "The app exited with code 0 before its page was requested."]);
  expect(judged(id, { app: appWithPage, appRuns: [ended(1)], facts: {} }).status).toBe("inconclusive");
});

describe("UI-002", () => {
  const portTaken = run({ testRun: "port-taken", endCause: "port-taken", endRequestedAt: null });
  const judgedWith = (first: AppRun, facts: Partial<Facts>) =>
    judged("UI-002", { app: appWithPage, appRuns: [portTaken, first], facts });

  test("an app that ends by itself before its page answers has no port to free", () => {
    for (const facts of [{ page }, {}]) expect(judgedWith(ended(0), facts).status).toBe("pass");
  });

  test("a port that is not freed is a violation, whichever way the app ended", () => {
    const served = { ...page, availableAfter: 1 };
    expect(judgedWith(ended(0), { page: served, portFreed: false }).status).toBe("fail");
  });

  test("an app that crashes before its page answers is inconclusive", () => {
    expect(judgedWith(ended(1), { page }).status).toBe("inconclusive");
  });
});

describe("UI-006", () => {
  const judgedWith = (changes: Partial<AppRun>) =>
    judged("UI-006", { app: appWithPage, appRuns: [{ ...ended(0), testRun: "start-as-startup-app", ...changes }] });

  test("the network does not concern a startup app that ends before its page is requested", () => {
    expect(judgedWith({})).toMatchObject({
      status: "not-applicable",
      reason: "The app exited with code 0 before its page was requested.",
    });
  });

  test("a startup app that crashes, or does not connect, is inconclusive", () => {
    expect(judgedWith({ exit: { code: 1, signal: null } }).status).toBe("inconclusive");
    expect(judgedWith({ connectedAt: null }).status).toBe("inconclusive");
  });
});
