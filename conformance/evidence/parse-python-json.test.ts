import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePythonJson } from "./parse-python-json.ts";

test.each([
  ["[-Infinity, Infinity, NaN]", [Infinity, Infinity, Infinity]],
  ['{"a": "NaN", "-Infinity": NaN}', { a: "NaN", "-Infinity": Infinity }],
  ['["\\\\", "\\"NaN", 1]', ["\\", '"NaN', 1]],
])("%s", (text, value) => expect(parsePythonJson(text)).toEqual(value));

test("what is no JSON is undefined", () => {
  expect(parsePythonJson("[NaN")).toBeUndefined();
  expect(parsePythonJson("Infinite")).toBeUndefined();
});

test("JSON is read as it is", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parsePythonJson(text)).toEqual(JSON.parse(text));
    }),
  );
});
