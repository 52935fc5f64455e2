import { describe, expect, it } from "vitest";
import { readCucumberReport, readPytestReport, readVitestReport } from "./test-reports.mjs";

describe("the results of the test runners", () => {
  it("name a failed test of Vitest with its file and message", () => {
    const report = {
      numPassedTests: 1,
      numFailedTests: 1,
      numPendingTests: 2,
      testResults: [
        {
          name: "/checkout/daemon/slot.test.ts",
          status: "failed",
          message: "",
          assertionResults: [
            { fullName: "the slot starts", status: "passed", failureMessages: [] },
            { fullName: "the slot stops", status: "failed", failureMessages: ["Error: it did not\n    at slot.ts:1"] },
          ],
        },
        {
          name: "/checkout/robot/wire.test.ts",
          status: "failed",
          message: "SyntaxError: a brace",
          assertionResults: [],
        },
      ],
    };
    expect(readVitestReport(JSON.stringify(report), "/checkout")).toEqual({
      passed: 1,
      failed: 1,
      skipped: 2,
      failures: [
        "daemon/slot.test.ts: the slot stops\n  Error: it did not\n      at slot.ts:1",
        "robot/wire.test.ts: the file failed\n  SyntaxError: a brace",
      ],
    });
  });

  it("name a failed test and a failed fixture of pytest", () => {
    const report = `<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4">
      <testcase classname="test_x" name="test_ok" time="0.0" />
      <testcase classname="test_x" name="test_bad" time="0.0"><failure message="it is &lt;1&gt;&#10;not 2">E it is</failure></testcase>
      <testcase classname="test_x" name="test_skipped" time="0.0"><skipped message="later" /></testcase>
      <testcase classname="test_x" name="test_fixture" time="0.0"><error message="set-up">E</error></testcase>
    </testsuite></testsuites>`;
    expect(readPytestReport(report)).toEqual({
      passed: 1,
      failed: 2,
      skipped: 1,
      failures: ["test_x: test_bad\n  it is <1>\n  not 2", "test_x: test_fixture\n  set-up"],
    });
  });

  it("name a failed scenario of Cucumber with the message of its first failed step", () => {
    const step = (testCaseStartedId: string, status: string, message?: string) => ({
      testStepFinished: { testCaseStartedId, testStepResult: { status, message } },
    });
    const report = [
      { pickle: { id: "p1", uri: "features/a.feature", name: "a good one" } },
      { pickle: { id: "p2", uri: "features/a.feature", name: "a bad one" } },
      { testCase: { id: "c1", pickleId: "p1" } },
      { testCase: { id: "c2", pickleId: "p2" } },
      { testCaseStarted: { id: "s1", testCaseId: "c1" } },
      { testCaseStarted: { id: "s2", testCaseId: "c2" } },
      step("s1", "PASSED"),
      step("s2", "PASSED"),
      step("s2", "FAILED", "AssertionError: no"),
      step("s2", "SKIPPED"),
    ];
    expect(readCucumberReport(report.map((line) => JSON.stringify(line)).join("\n"))).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
      failures: ["features/a.feature: a bad one\n  AssertionError: no"],
    });
  });
});
