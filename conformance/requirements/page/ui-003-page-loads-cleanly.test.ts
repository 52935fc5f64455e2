import { expect, test } from "vitest";
import { appWithPage, judged } from "../testing/judged.ts";

test("UI-003 without a browser is inconclusive and says what is missing", () => {
  const page = { answer: "200", availableAfter: 1, appEnded: false, brokenReferences: [], staticFiles: null };
  const evidence = { app: appWithPage };
  const facts = { page, browser: { unavailable: "there is no Chromium" } };
  expect(judged("UI-003", { ...evidence, facts })).toMatchObject({
    status: "inconclusive",
    reason: "Console: there is no Chromium.",
  });
  expect(judged("UI-003", { ...evidence, facts: { page, browser: { consoleErrors: [] } } }).status).toBe("pass");
});
