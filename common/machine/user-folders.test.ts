import { homedir } from "node:os";
import { expect, test } from "vitest";
import { userFolder } from "./user-folders.ts";

test.each([
  ["data", "/home/ada/.local/share/robot"],
  ["state", "/home/ada/.local/state/robot"],
  ["config", "/home/ada/.config/robot"],
  ["cache", "/home/ada/.cache/robot"],
] as const)("the %s folder is %s unless a variable names another base", (kind, folder) => {
  const variable = `XDG_${kind.toUpperCase()}_HOME`;
  expect(userFolder(kind, "robot", { HOME: "/home/ada" })).toBe(folder);
  expect(userFolder(kind, "robot", { HOME: "/home/ada", [variable]: "/base" })).toBe("/base/robot");
  expect(userFolder(kind, "robot", { HOME: "/home/ada", [variable]: "relative" })).toBe(folder);
  expect(userFolder(kind, "robot", { HOME: "/home/ada", [variable]: "" })).toBe(folder);
});

test("the user's home folder is used where HOME is not set", () => {
  expect(userFolder("data", "robot", {})).toBe(`${homedir()}/.local/share/robot`);
});
