import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import { judgeByInstall } from "./judge-by-install.ts";

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
