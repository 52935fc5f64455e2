import fc from "fast-check";
import { expect, test } from "vitest";
import { closestMatch, closestMatches } from "./closest-match.ts";

const COMMANDS = ["create", "check", "certify", "edit", "publish"];

test.each([
  ["chekc", "check"],
  ["Certfy", "certify"],
  ["publsh", "publish"],
  ["edi", "edit"],
  ["run", undefined],
  ["x", undefined],
  ["", undefined],
])("%j is taken for %j", (word, meant) => {
  expect(closestMatch(word, COMMANDS)).toBe(meant);
});

test("several come in the order of their distance", () => {
  expect(closestMatches("look_aroun", ["look_arond", "hello_robot", "look_around"])).toEqual([
    "look_around",
    "look_arond",
  ]);
});

test("short words have no match, and two more letters make another word", () => {
  expect(closestMatch("z", ["x", "y"])).toBeUndefined();
  expect(closestMatch("antennas", ["yaw", "head"])).toBeUndefined();
});

test("a word that is a candidate comes first, and one slip in five letters or more is always found", () => {
  const word = fc.stringMatching(/^[a-z]{5,20}$/);
  fc.assert(
    fc.property(word, fc.array(word), fc.nat(), (meant, others, seed) => {
      expect(closestMatch(meant, [...others, meant])).toBe(meant);
      const at = seed % meant.length;
      expect(closestMatches(meant.slice(0, at) + meant.slice(at + 1), [...others, meant])).toContain(meant);
    }),
  );
});
