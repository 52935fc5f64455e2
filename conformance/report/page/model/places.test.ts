import { describe, expect, test } from "vitest";
import type { SceneEvent } from "../../../verdict/verdict.ts";
import { sampleVerdict } from "../../testing/sample.ts";
import { firstLook, linkTo, linkToFinding, linkToScene, linkToStatus, placeOf } from "./places.ts";
import { ReportModel } from "./report-model.ts";

const verdict = sampleVerdict();
const event = (t: number, kind: SceneEvent["kind"]): SceneEvent => ({ t, kind, state: null, level: "info", text: "" });

describe("an address", () => {
  test("leads to a requirement, a status or a moment of a scene", () => {
    expect(placeOf("#LIFE-003", verdict)).toEqual({ requirement: "LIFE-003" });
    expect(placeOf(linkToStatus("fail"), verdict)).toEqual({ status: "fail" });
    expect(placeOf(linkTo("crash", 2.5), verdict)).toEqual({ scene: "crash", t: 2.5 });
  });

  test("may name a scene with any sign in it", () => {
    const id = "a/b #1 ü%";
    const scenes = verdict.scenes.map((scene) => ({ ...scene, id }));
    expect(placeOf(linkTo(id, 0), { ...verdict, scenes })).toEqual({ scene: id, t: 0 });
  });

  test("that names nothing leads nowhere", () => {
    for (const hash of ["", "#", "#LIFE-999", "#scene/none/1", "#scene/crash/soon", "#%zz", "#status/odd"])
      expect(placeOf(hash, verdict)).toBeNull();
  });

  test("of a requirement that the filter hides takes the filter away", () => {
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
    return result && linkToFinding(result, message, verdict.scenes);
  };

  test("is shown shortly before the moment that tells it", () => {
    expect(link("MOT-004", "stewart_2 stands 0.31 rad from its default")).toBe("#scene/stop-in-mid-goto/6.60");
  });

  test("is shown where its requirement is named when no moment tells it", () => {
    expect(link("MOT-002", "words of its own")).toBe("#scene/run-and-stop/3.70");
  });

  test("is shown where its scene begins to matter when no moment is a finding", () => {
    expect(link("LIFE-008", "words of its own")).toBe("#scene/crash/0.00");
  });

  test("that rests on no scene is not shown", () => {
    expect(link("PKG-011", "There is a .env")).toBeNull();
  });

  test("is what one sees first", () => {
    expect(firstLook(verdict)).toBe("#scene/stop-in-mid-goto/6.60");
    const warnings = verdict.results.filter(({ status }) => status !== "fail");
    expect(firstLook({ ...verdict, results: warnings })).toBe("#scene/run-and-stop/3.70");
    expect(firstLook({ ...verdict, results: [] })).toBe("#scene/run-and-stop/0.00");
    expect(linkToScene({ id: "late", events: [event(6, "robot"), event(7, "action")] })).toBe("#scene/late/6.50");
    expect(firstLook({ results: [], scenes: [] })).toBeNull();
  });
});
