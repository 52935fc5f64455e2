import { expect, test } from "vitest";
import { sampleVerdict } from "../testing/sample-verdict.ts";
import { judgeAppClass } from "./app-class.ts";

const GOOD = { extendsRobotApp: true, runIsAsync: false, runAccepts: true };
const judged = (
  facts: Partial<typeof GOOD> | null,
  status: "inconclusive" | "fail" = "inconclusive",
  id = "PKG-006",
) => {
  const [judgement] = sampleVerdict({ [id]: status }).results;
  return judgeAppClass(judgement!, facts === null ? null : { ...GOOD, ...facts });
};

test("a class whose bases only Python can follow passes by what Python sees", () => {
  const { status, reason, observations } = judged({});
  expect([status, reason, observations.length]).toEqual(["pass", null, 1]);
});

test.each([
  [{ extendsRobotApp: false }, "does not extend RobotApp"],
  [{ runIsAsync: true }, "async run"],
  [{ runAccepts: false }, "does not take a robot and a stop event"],
])("%j fails", (facts, message) => {
  const { status, findings } = judged(facts);
  expect([status, findings[0]?.message]).toEqual(["fail", expect.stringContaining(message)]);
});

test("what the files show stands, and other requirements are not touched", () => {
  expect(judged({}, "fail").status).toBe("fail");
  expect(judged({}, "inconclusive", "PKG-007").status).toBe("inconclusive");
  expect(judged(null).status).toBe("inconclusive");
});
