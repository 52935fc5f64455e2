import { expect, test } from "vitest";
import { readSecrets, redact, withoutSecrets } from "./secrets.ts";

const secrets = { MY_KEY: 'q7"Zr9/T', OTHER_KEY: "wXk8mHs5" };

test("no text keeps a secret, as it is, as JSON or in an address", () => {
  const text = `a q7"Zr9/T b ${JSON.stringify({ key: secrets.MY_KEY })} http://h/?k=${encodeURIComponent(secrets.MY_KEY)}`;
  expect(withoutSecrets(text, secrets)).toBe('a [MY_KEY] b {"key":"[MY_KEY]"} http://h/?k=[MY_KEY]');
});

test("all texts of a verdict are searched, and nothing else is changed", () => {
  const verdict = { log: [{ text: "key wXk8mHs5!", t: 1.5 }], motion: [[1, 2], null], findings: { wXk8mHs5: true } };
  expect(redact(verdict, secrets)).toEqual({
    log: [{ text: "key [OTHER_KEY]!", t: 1.5 }],
    motion: [[1, 2], null],
    findings: { "[OTHER_KEY]": true },
  });
  expect(redact(verdict, {})).toBe(verdict);
});

test("a variable that is not set or too short is refused, without its value", () => {
  expect(readSecrets(["MY_KEY"], { MY_KEY: "12345" })).toEqual({ MY_KEY: "12345" });
  expect(() => readSecrets(["MY_KEY"], {})).toThrow("MY_KEY is not set");
  expect(() => readSecrets(["MY_KEY"], { MY_KEY: "abc" })).toThrow(/shorter than 4 characters\. (?!.*abc)/);
});
