import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askPython } from "../../common/testing/ask-python.ts";
import { parseAppName, suggestAppName } from "./app-name.ts";

describe("a valid name", () => {
  test.each([
    ["my_app", { name: "my_app", className: "MyApp", title: "My App" }],
    ["My-App", { name: "my_app", className: "MyApp", title: "My App" }],
    ["hello--robot.2", { name: "hello_robot_2", className: "HelloRobot2App", title: "Hello Robot 2" }],
    ["x", { name: "x", className: "XApp", title: "X" }],
  ])("%s is accepted", (given, expected) => {
    expect(parseAppName(given)).toEqual(expected);
  });
});

describe("an invalid name is refused with the value, the rule and a valid name", () => {
  test.each([
    ["", "letter", "my_app"],
    ["3d", "letter", "app_3d"],
    ["my app", "letter", "my_app"],
    ["_app_", "letter", "app"],
    ["Grüße", "letter", "gru_e"],
    ["日本", "letter", "my_app"],
    ["class", "keyword of Python", "my_class"],
    ["None", "keyword of Python", "my_none"],
    ["json", "standard library", "my_json"],
    ["Robot-SDK", "SDK", "my_robot_sdk"],
    ["robot", "SDK", "my_robot"],
    ["a".repeat(97), "97 characters", "a".repeat(96)],
  ])("%s", (given, rule, suggestion) => {
    expect(() => parseAppName(given)).toThrow(expect.objectContaining({ code: "usage" }));
    expect(() => parseAppName(given)).toThrow(JSON.stringify(given));
    expect(() => parseAppName(given)).toThrow(rule);
    expect(() => parseAppName(given)).toThrow(`Name it ${suggestion}, for example.`);
  });
});

test("a path is no name, and the message says where its folder goes", () => {
  expect(() => parseAppName("../apps/my_app")).toThrow("The folder comes second: create my_app ../apps");
});

const anyName = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.stringMatching(/^[A-Za-z0-9._ -]{0,120}$/),
);

function accepted(given: string): string | undefined {
  try {
    return parseAppName(given).name;
  } catch {
    return undefined;
  }
}

test("every suggestion is accepted unchanged", () => {
  fc.assert(
    fc.property(anyName, (given) => {
      const suggestion = suggestAppName(given);
      expect(accepted(suggestion)).toBe(suggestion);
    }),
  );
});

test("an accepted name is unchanged when it is given again in another case or with hyphens", () => {
  const spelt = fc.tuple(fc.stringMatching(/^[a-z]{1,5}(_[a-z0-9]{1,5}){0,3}$/), fc.constantFrom("-", ".", "__", "-_"));
  fc.assert(
    fc.property(spelt, ([name, separator]) => {
      fc.pre(accepted(name) !== undefined);
      expect(accepted(name)).toBe(name);
      expect(accepted(name.toUpperCase().replaceAll("_", separator))).toBe(name);
    }),
  );
});

test("Python's own keywords and modules are refused", async () => {
  const [reserved = []] = await askPython<string[]>("assistant/create/testing/python_names.py", []);
  expect(reserved.length).toBeGreaterThan(200);
  expect(reserved.filter((name) => accepted(name) !== undefined)).toEqual([]);
});

test("an accepted name is valid for a module and a distribution", () => {
  fc.assert(
    fc.property(anyName, (given) => {
      fc.pre(accepted(given) !== undefined);
      expect(accepted(given)).toMatch(/^[a-z]([a-z0-9_]*[a-z0-9])?$/);
    }),
  );
});
