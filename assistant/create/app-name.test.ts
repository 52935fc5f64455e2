import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askPython } from "../edit/testing/python.ts";
import { appNameOf, suggestionFor } from "./app-name.ts";

describe("a name that fits", () => {
  test.each([
    ["my_app", { name: "my_app", className: "MyApp", title: "My App" }],
    ["My-App", { name: "my_app", className: "MyApp", title: "My App" }],
    ["hello--robot.2", { name: "hello_robot_2", className: "HelloRobot2App", title: "Hello Robot 2" }],
    ["x", { name: "x", className: "XApp", title: "X" }],
  ])("%s is taken", (given, expected) => {
    expect(appNameOf(given)).toEqual(expected);
  });
});

describe("a name that does not fit is refused with the value, the rule and one that does", () => {
  test.each([
    ["", "letter", "my_app"],
    ["3d", "letter", "app_3d"],
    ["my app", "letter", "my_app"],
    ["_app_", "letter", "app"],
    ["../etc", "letter", "etc"],
    ["Grüße", "letter", "gru_e"],
    ["日本", "letter", "my_app"],
    ["class", "word of Python", "my_class"],
    ["None", "word of Python", "my_none"],
    ["json", "standard library", "my_json"],
    ["Robot-SDK", "SDK", "my_robot_sdk"],
    ["robot", "SDK", "my_robot"],
    ["a".repeat(97), "97 characters", "a".repeat(96)],
  ])("%s", (given, rule, suggestion) => {
    expect(() => appNameOf(given)).toThrow(expect.objectContaining({ code: "usage" }));
    expect(() => appNameOf(given)).toThrow(JSON.stringify(given));
    expect(() => appNameOf(given)).toThrow(rule);
    expect(() => appNameOf(given)).toThrow(`Call it ${suggestion}, for example.`);
  });
});

const anyName = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.stringMatching(/^[A-Za-z0-9._ -]{0,120}$/),
);

function taken(given: string): string | undefined {
  try {
    return appNameOf(given).name;
  } catch {
    return undefined;
  }
}

test("every suggestion is a name that is taken as it is", () => {
  fc.assert(
    fc.property(anyName, (given) => {
      const suggestion = suggestionFor(given);
      expect(taken(suggestion)).toBe(suggestion);
    }),
  );
});

test("what is taken stays as it is when it is given again, in whatever case and with whatever hyphens", () => {
  const spelt = fc.tuple(fc.stringMatching(/^[a-z]{1,5}(_[a-z0-9]{1,5}){0,3}$/), fc.constantFrom("-", ".", "__", "-_"));
  fc.assert(
    fc.property(spelt, ([name, separator]) => {
      fc.pre(taken(name) !== undefined);
      expect(taken(name)).toBe(name);
      expect(taken(name.toUpperCase().replaceAll("_", separator))).toBe(name);
    }),
  );
});

test("Python's own keywords and modules are refused", async () => {
  const [reserved = []] = await askPython<string[]>("assistant/create/testing/python_names.py", []);
  expect(reserved.length).toBeGreaterThan(200);
  expect(reserved.filter((name) => taken(name) !== undefined)).toEqual([]);
});

test("what is taken can be a module and a distribution", () => {
  fc.assert(
    fc.property(anyName, (given) => {
      fc.pre(taken(given) !== undefined);
      expect(taken(given)).toMatch(/^[a-z]([a-z0-9_]*[a-z0-9])?$/);
    }),
  );
});
