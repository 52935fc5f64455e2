import { expect, test } from "vitest";
import { sharedRequirements } from "./test-environment.ts";

test.each([
  [
    '[project]\nname = "a"\ndependencies = ["numpy >= 2", "robot-sdk[web]"]',
    ["numpy >= 2", "pytest>=7", "robot-sdk[web]"],
  ],
  [
    '[project]\nname = "b"\ndependencies = ["robot-sdk[web]", "numpy >= 2"]',
    ["numpy >= 2", "pytest>=7", "robot-sdk[web]"],
  ],
  [
    '[project]\nname = "a"\n[project.optional-dependencies]\ntest = ["hypothesis"]\ndocs = ["sphinx"]',
    ["hypothesis", "pytest>=7"],
  ],
  ['[project]\nname = "a"', ["pytest>=7"]],
  ['[project]\nname = "a"\ndynamic = ["version"]', ["pytest>=7"]],
  ['[project]\nname = "a"\ndynamic = ["dependencies"]', null],
  ['[project]\nname = "a"\ndynamic = ["optional-dependencies"]', null],
  ['[project]\nname = "a"\ndependencies = ["b @ file:///tmp/b"]', null],
  ['[project]\nname = "a"\ndependencies = ["./b"]', null],
  ['[project]\nname = "a"\ndependencies = "numpy"', null],
  ['[project]\nname = "a.b"\n[project.optional-dependencies]\ntest = ["A-B[web]"]', null],
  ["[project", null],
])("what %j needs is shared by apps that need the same", (text, expected) => {
  expect(sharedRequirements(text, text.includes("a.b") ? "a.b" : "a")).toEqual(expected);
});
