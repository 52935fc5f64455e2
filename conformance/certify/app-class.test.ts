import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import { correctByImportedClass } from "./app-class.ts";

const GOOD = {
  extendsRobotApp: true,
  runIsAsync: false,
  runAccepts: true,
  servesItself: false,
  customAppUrl: null as string | null,
};
const judged = (
  facts: Partial<typeof GOOD> | null,
  status: "inconclusive" | "fail" | "pass" = "inconclusive",
  id = "PKG-006",
  announcedUrl = facts?.customAppUrl ?? null,
  sourceRoot: "" | "src/" = "",
) => {
  const [judgement] = exampleVerdict({ [id]: status }).results;
  const app = { module: "my_app.main", sourceRoot, announcedUrl };
  return correctByImportedClass(judgement!, facts === null ? null : { app, facts: { ...GOOD, ...facts } });
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

test("an address that the daemon reads otherwise than Python fails, also where the files seem right", () => {
  const url = "http://0.0.0.0:8055";
  expect(judged({ customAppUrl: url }, "pass", "PKG-008").status).toBe("pass");
  const { status, findings } = judged({ customAppUrl: url }, "pass", "PKG-008", null);
  expect([status, findings[0]?.message]).toEqual([
    "fail",
    `Imported, the app's class has the custom_app_url ${url}, but the daemon reads None from my_app/main.py; assign a literal in the app's class there.`,
  ]);
  expect(judged({ customAppUrl: null }, "pass", "PKG-008", url).status).toBe("fail");
});

test("a finding is in the file of the main module, also below src/", () => {
  const inFile = (sourceRoot: "" | "src/") =>
    judged({ runIsAsync: true }, "inconclusive", "PKG-006", null, sourceRoot).findings[0]?.file;
  expect([inFile(""), inFile("src/")]).toEqual(["my_app/main.py", "src/my_app/main.py"]);
});
