import { describe, expect, it } from "vitest";
import { readCucumberReport, readPytestReport, readVitestReport } from "./results.mjs";

describe("the results of the test runners", () => {
  it("name a failed test of Vitest with its file and message", () => {
    const test = (name: string, state: string, message = "") => ({ name, state, seconds: 1, message });
    const report = {
      times: { unit: 12, browser: 3 },
      files: [
        {
          suite: "unit",
          file: "daemon/slot.test.ts",
          tests: [
            test("the slot > starts", "passed"),
            test("the slot > stops", "failed", "Error: it did not\n    at slot.ts:1"),
          ],
          message: "",
        },
        { suite: "unit", file: "robot/wire.test.ts", tests: [], message: "SyntaxError: a brace" },
        { suite: "browser", file: "daemon/page.test.ts", tests: [test("it shows", "skipped")], message: "" },
      ],
    };
    expect(readVitestReport(JSON.stringify(report))).toEqual({
      unit: {
        passed: 1,
        failed: 2,
        skipped: 0,
        failures: [
          { file: "daemon/slot.test.ts", title: "the slot > stops", message: "Error: it did not\n    at slot.ts:1" },
          { file: "robot/wire.test.ts", title: "an error outside of its tests", message: "SyntaxError: a brace" },
        ],
        tests: [
          { name: "daemon/slot.test.ts: the slot > starts", seconds: 1 },
          { name: "daemon/slot.test.ts: the slot > stops", seconds: 1 },
        ],
        seconds: 12,
      },
      browser: expect.objectContaining({ passed: 0, failed: 0, skipped: 1, seconds: 3 }),
    });
  });

  it("name a failed test and a failed fixture of pytest", () => {
    const report = `<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4">
      <testcase classname="test_x" name="test_ok" time="1.5" />
      <testcase classname="test_x" name="test_bad" time="0.0"><failure message="it is &lt;1&gt;&#10;not 2">E it is</failure></testcase>
      <testcase classname="test_x" name="test_skipped" time="0.0"><skipped message="later" /></testcase>
      <testcase classname="test_x" name="test_fixture" time="0.0"><error message="set-up">E</error></testcase>
    </testsuite></testsuites>`;
    expect(readPytestReport(report)).toMatchObject({
      passed: 1,
      failed: 2,
      skipped: 1,
      failures: [
        { file: "test_x", title: "test_bad", message: "it is <1>\nnot 2" },
        { file: "test_x", title: "test_fixture", message: "set-up" },
      ],
      tests: expect.arrayContaining([{ name: "test_x: test_ok", seconds: 1.5 }]),
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
      { testCaseStarted: { id: "s1", testCaseId: "c1", timestamp: { seconds: 10, nanos: 0 } } },
      { testCaseStarted: { id: "s2", testCaseId: "c2" } },
      step("s1", "PASSED"),
      step("s2", "PASSED"),
      step("s2", "FAILED", "AssertionError: no"),
      step("s2", "SKIPPED"),
      { testCaseFinished: { testCaseStartedId: "s1", timestamp: { seconds: 12, nanos: 5e8 } } },
    ];
    expect(readCucumberReport(report.map((line) => JSON.stringify(line)).join("\n"))).toMatchObject({
      passed: 1,
      failed: 1,
      skipped: 0,
      failures: [{ file: "features/a.feature", title: "a bad one", message: "AssertionError: no" }],
      tests: expect.arrayContaining([{ name: "features/a.feature: a good one", seconds: 2.5 }]),
    });
  });
});
