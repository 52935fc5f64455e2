import { describe, expect, test } from "vitest";
import type { TestRunEvent } from "../../verdict/verdict.ts";
import { exampleVerdict } from "../testing/sample.ts";
import { initialLink, linkToFinding, linkToMoment, linkToStatus, linkToTestRun, parseLink } from "./links.ts";
import { ReportModel } from "./report-model.ts";

const verdict = exampleVerdict();
const event = (t: number, kind: TestRunEvent["kind"]): TestRunEvent => ({
  t,
  kind,
  state: null,
  level: "info",
  text: "",
});

describe("a link", () => {
  test("shows a requirement, a status or a moment of a test run", () => {
    expect(parseLink("#LIFE-003", verdict)).toEqual({ requirement: "LIFE-003" });
    expect(parseLink(linkToStatus("fail"), verdict)).toEqual({ status: "fail" });
    expect(parseLink(linkToMoment("crash", 2.5), verdict)).toEqual({ testRun: "crash", t: 2.5 });
  });

  test("shows the moment of a requirement's first finding, and the requirement when nothing was recorded", () => {
    const [testRun] = verdict.testRuns;
    const found = { ...verdict.results[0], id: "LIFE-003", testRuns: [testRun?.id], findings: [{ message: "late" }] };
    const recorded = { ...testRun, events: [event(1, "slot"), { ...event(4, "finding"), text: "LIFE-003: late" }] };
    const shown = { results: [found], testRuns: [recorded] } as unknown as typeof verdict;
    expect(parseLink("#replay/LIFE-003", shown)).toEqual({ testRun: testRun?.id, t: 3.5 });
    expect(parseLink("#replay/LIFE-003", { ...shown, testRuns: [] })).toEqual({ requirement: "LIFE-003" });
    expect(parseLink("#replay/LIFE-999", shown)).toBeNull();
  });

  test("may name a test run with any character in it", () => {
    const id = "a/b #1 ü%";
    const testRuns = verdict.testRuns.map((testRun) => ({ ...testRun, id }));
    expect(parseLink(linkToMoment(id, 0), { ...verdict, testRuns })).toEqual({ testRun: id, t: 0 });
  });

  test("to an unknown requirement or test run is ignored", () => {
    for (const hash of ["", "#", "#LIFE-999", "#test-run/none/1", "#test-run/crash/soon", "#%zz", "#status/odd"])
      expect(parseLink(hash, verdict)).toBeNull();
  });

  test("to a requirement that the filter hides removes the filter", () => {
    const report = new ReportModel(verdict);
    report.follow(linkToStatus("fail"));
    expect(report.groups.value.map(({ prefix }) => prefix)).toEqual(["MOT"]);
    report.follow("#MOT-004");
    expect(report.filter.value).toBe("fail");
    report.follow("#LIFE-003");
    expect(report.filter.value).toBeNull();
  });
});

describe("a finding", () => {
  const link = (id: string, message: string) => {
    const result = verdict.results.find((each) => each.id === id);
    return result && linkToFinding(result, message, verdict.testRuns);
  };

  test("links to shortly before the event with its message", () => {
    expect(link("MOT-004", "stewart_2 stands 0.31 rad from its default")).toBe("#test-run/stop-in-mid-goto/6.60");
  });

  test("links to an event with its requirement when none has its message", () => {
    expect(link("MOT-002", "another message")).toBe("#test-run/run-and-stop/3.70");
  });

  test("links to the test run of another requirement when that has its message", () => {
    const [one, other] = verdict.testRuns.map((run) => ({ ...run, events: [] as TestRunEvent[] }));
    const shown = { ...event(4, "finding"), text: "LIFE-006: it left a process" };
    const runs = [one, { ...other, events: [shown] }] as typeof verdict.testRuns;
    expect(linkToFinding({ id: "LIFE-006", testRuns: [one?.id ?? ""] }, "it left a process", runs)).toBe(
      linkToMoment(other?.id ?? "", 3.5),
    );
  });

  test("links to the start of the app when no event is a finding", () => {
    expect(link("LIFE-008", "another message")).toBe("#test-run/crash/0.00");
  });

  test("without a test run has no link", () => {
    expect(link("PKG-011", "There is a .env")).toBeNull();
  });

  test("is the first that the report shows", () => {
    expect(initialLink(verdict)).toBe("#test-run/stop-in-mid-goto/6.60");
    const warnings = verdict.results.filter(({ status }) => status !== "fail");
    expect(initialLink({ ...verdict, results: warnings })).toBe("#test-run/run-and-stop/3.70");
    expect(initialLink({ ...verdict, results: [] })).toBe("#test-run/run-and-stop/0.00");
    expect(linkToTestRun({ id: "late", events: [event(6, "robot"), event(7, "action")] })).toBe("#test-run/late/6.50");
    expect(initialLink({ results: [], testRuns: [] })).toBeNull();
  });
});
