import { expect, test } from "vitest";
import { requiredVersions } from "./required-sdk.ts";

test.each([
  ["reachy-mini", ""],
  ["reachy_mini >= 1.8.3, <2", ">= 1.8.3, <2"],
  ["Reachy.Mini[opencv]==1.10.0; python_version > '3'", "==1.10.0"],
  ["reachy-mini (~=1.8)", "~=1.8"],
  ["reachy-mini @ https://example.org/sdk.whl", null],
  ["reachy-mini-toolbox>=1", null],
  ["numpy", null],
])("the requirement %s asks for the versions %o", (requirement, versions) => {
  expect(requiredVersions(["scipy", requirement], "reachy-mini")).toBe(versions);
});
