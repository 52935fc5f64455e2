import { expect, test } from "vitest";
import { sampleVerdict } from "../testing/sample-verdict.ts";
import { judgeAppClass } from "./app-class.ts";

const GOOD = { extendsRobotApp: true, runIsAsync: false, runAccepts: true, customAppUrl: null as string | null };
const judged = (
  facts: Partial<typeof GOOD> | null,
  status: "inconclusive" | "fail" = "inconclusive",
  id = "PKG-006",
) => {
  const [judgement] = sampleVerdict({ [id]: status }).results;
  return judgeAppClass(judgement!, facts === null ? null : { module: "my_app.main", facts: { ...GOOD, ...facts } });
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
  expect(status).toBe("fail");
  expect(findings).toEqual([{ message: expect.stringContaining(message), file: "my_app/main.py", line: null }]);
});

test("what the files show stands, and other requirements are not touched", () => {
  expect(judged({}, "fail").status).toBe("fail");
  expect(judged({}, "inconclusive", "PKG-007").status).toBe("inconclusive");
  expect(judged(null).status).toBe("inconclusive");
});

test("a computed address passes by what Python sees", () => {
  const { status, observations } = judged({ customAppUrl: "http://0.0.0.0:8055" }, "inconclusive", "PKG-008");
  expect([status, observations[0]?.text]).toEqual(["pass", "Imported, custom_app_url is http://0.0.0.0:8055."]);
  expect(judged({ customAppUrl: null }, "inconclusive", "PKG-008").status).toBe("pass");
});

test.each(["http://0.0.0.0", "8042", "<property object>"])("a computed address %s fails", (customAppUrl) => {
  const { status, findings } = judged({ customAppUrl }, "inconclusive", "PKG-008");
  expect([status, findings[0]?.message]).toEqual(["fail", expect.stringContaining(customAppUrl)]);
});
