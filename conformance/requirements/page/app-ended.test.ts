import { expect, test } from "vitest";
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
