import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import { correctByImportedClass, judgeByInstall } from "./judge-by-install.ts";

const installed = { refusal: null, staticFiles: 3, missing: [] as string[], remains: [], rebuilt: [] };
const judged = (status: "inconclusive" | "fail" | "pass", install: Partial<typeof installed> | null, id = "PKG-012") =>
  judgeByInstall(
    exampleVerdict({ [id]: status }).results[0]!,
    install === null ? undefined : { ...installed, ...install },
  );

test("the built wheel decides whether the page is shipped, whatever package data seems to say", () => {
  for (const status of ["inconclusive", "fail", "pass"] as const) {
    expect(judged(status, {})).toMatchObject({ status: "pass", findings: [], reason: null });
    const { status: now, findings } = judged(status, { missing: ["main.js"] });
    expect([now, findings.length]).toEqual(["fail", 1]);
  }
});

test("without static/ the page of an app is judged while it runs", () => {
  expect(judged("inconclusive", { staticFiles: 0 }).status).toBe("not-applicable");
  expect(judged("fail", { staticFiles: 0 }).status).toBe("fail");
});

test("an app that was not installed, and other requirements, stay as the check has them", () => {
  expect(judged("inconclusive", null).status).toBe("inconclusive");
  expect(judged("fail", {}, "PKG-001").status).toBe("fail");
});

const GOOD = {
  extendsRobotApp: true,
  runIsAsync: false,
  runAccepts: true,
  servesItself: false,
  customAppUrl: null as string | null,
};
const judgedClass = (
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
  const { status, reason, observations } = judgedClass({});
  expect([status, reason, observations.length]).toEqual(["pass", null, 1]);
});

test.each([
  [{ extendsRobotApp: false }, "does not extend RobotApp"],
  [{ runIsAsync: true }, "async run"],
  [{ runAccepts: false }, "does not take a robot and a stop event"],
])("%j fails", (facts, message) => {
  const { status, findings } = judgedClass(facts);
  expect(status).toBe("fail");
  expect(findings).toEqual([{ message: expect.stringContaining(message), file: "my_app/main.py", line: null }]);
});

test("what the files show stands, and other requirements are not touched", () => {
  expect(judgedClass({}, "fail").status).toBe("fail");
  expect(judgedClass({}, "inconclusive", "PKG-007").status).toBe("inconclusive");
  expect(judgedClass(null).status).toBe("inconclusive");
});

test("a computed address passes by what Python sees", () => {
  const { status, observations } = judgedClass({ customAppUrl: "http://0.0.0.0:8055" }, "inconclusive", "PKG-008");
  expect([status, observations[0]?.text]).toEqual(["pass", "Imported, custom_app_url is http://0.0.0.0:8055."]);
  expect(judgedClass({ customAppUrl: null }, "inconclusive", "PKG-008").status).toBe("pass");
});

test.each(["http://0.0.0.0", "8042", "<property object>"])("a computed address %s fails", (customAppUrl) => {
  const { status, findings } = judgedClass({ customAppUrl }, "inconclusive", "PKG-008");
  expect([status, findings[0]?.message]).toEqual(["fail", expect.stringContaining(customAppUrl)]);
});

test("an address that the daemon reads otherwise than Python fails, also where the files seem right", () => {
  const url = "http://0.0.0.0:8055";
  expect(judgedClass({ customAppUrl: url }, "pass", "PKG-008").status).toBe("pass");
  const { status, findings } = judgedClass({ customAppUrl: url }, "pass", "PKG-008", null);
  expect([status, findings[0]?.message]).toEqual([
    "fail",
    `Imported, the app's class has the custom_app_url ${url}, but the daemon reads None from my_app/main.py; assign a literal in the app's class there.`,
  ]);
  expect(judgedClass({ customAppUrl: null }, "pass", "PKG-008", url).status).toBe("fail");
});

test("a finding is in the file of the main module, also below src/", () => {
  const inFile = (sourceRoot: "" | "src/") =>
    judgedClass({ runIsAsync: true }, "inconclusive", "PKG-006", null, sourceRoot).findings[0]?.file;
  expect([inFile(""), inFile("src/")]).toEqual(["my_app/main.py", "src/my_app/main.py"]);
});
