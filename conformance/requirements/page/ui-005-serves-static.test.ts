import { expect, test } from "vitest";
import type { StaticFileFacts } from "../../evidence/evidence.ts";
import { appWithPage, judged } from "../testing/judged.ts";

const judgedBy = (files: Partial<StaticFileFacts>) => {
  const staticFiles = { compared: 3, different: [], unanswered: [], ...files };
  const page = { answer: "200", availableAfter: 1, appEnded: false, brokenReferences: [], staticFiles };
  return judged("UI-005", { app: appWithPage, facts: { page } });
};

test("a file without an answer is neither served nor different", () => {
  expect(judgedBy({}).status).toBe("pass");
  expect(judgedBy({ unanswered: ["main.js"] })).toMatchObject({
    status: "inconclusive",
    reason: "Files of static/: requests for static/main.js were not answered in time.",
  });
});

test("a file with other content is a violation that names it alone", () => {
  const { status, findings } = judgedBy({ different: ["a.js", "b.js", "c.js", "d.js"], unanswered: ["main.js"] });
  expect([status, findings[0]?.message]).toEqual([
    "fail",
    expect.stringContaining("does not serve static/a.js, static/b.js, static/c.js and 1 more as"),
  ]);
});
