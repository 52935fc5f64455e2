import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { changedFiles, planFor } from "./changed.mjs";

describe("npm test -- changed runs", () => {
  it("the tests that import a changed module, and those of the folders that use its folder", () => {
    expect(planFor(["sim/physics/world.ts"])).toEqual({
      unit: "related",
      files: ["sim/", "daemon/", "assistant/", "conformance/", "lab/", "scripts/"],
      suites: ["check", "features"],
    });
  });

  it("a changed test alone", () => {
    expect(planFor(["sim/robot-sim.integration.test.ts"])).toEqual({
      unit: "related",
      files: ["sim/robot-sim.integration.test.ts"],
      suites: ["check"],
    });
  });

  it("the scenarios alone for one of them and its steps", () => {
    const plan = planFor(["features/hub.feature", "conformance/steps/apps/hub.steps.ts"]);
    expect(plan).toEqual({ unit: "all", files: [], suites: ["check", "features"] });
  });

  it("everything for a change of the set-up, of a dependency or in a folder that it does not know", () => {
    for (const file of ["scripts/setup/steps.mjs", "package-lock.json", "common/emitter.ts", "bin/robot-sim.mjs"])
      expect(planFor([file])).toMatchObject({
        files: expect.arrayContaining(["common/", "sim/", "daemon/", "scripts/"]),
        suites: ["check", "sdk", "features"],
      });
  });

  it("nothing for a line of the changelog", () => {
    expect(planFor(["CHANGELOG.md"])).toEqual({ unit: null, files: [], suites: [] });
    expect(planFor([])).toEqual({ unit: null, files: [], suites: [] });
  });

  it("tests for each folder of the project", () => {
    const folders = readdirSync(".", { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== ".git",
    );
    for (const { name } of folders) expect(planFor([`${name}/x.ts`]).suites).toContain("check");
  });
});

it("the changed files are names in this checkout", () => {
  const { base, files } = changedFiles();
  expect(base).toMatch(/^[0-9a-f]{40}$/);
  for (const file of files) expect(file).not.toMatch(/^[/.]{2}/);
});
