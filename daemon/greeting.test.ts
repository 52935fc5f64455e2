import { expect, test } from "vitest";
import { greeting, signInHint, signInLink } from "./greeting.ts";
import { type DaemonOptions, parseInvocation } from "./options.ts";

test.each([
  [["--sim"], true, "with a simulated robot\n"],
  [[], true, "with the robot\n"],
  [[], false, "with no robot yet: it connects as soon as there is one\n"],
])("%j with a robot: %j greets %s", (args, isThere, words) => {
  const { options } = parseInvocation(args, {}, "1", () => {}) as { options: DaemonOptions };
  expect(greeting({ options, isThere, version: "1", url: "http://x", venv: "/v", signIn: "" })).toContain(words);
});

test("the terminal shows the link and a code to scan, a log only where to look", () => {
  const shown = signInLink("http://192.168.1.7:8000", "open-sesame");
  expect(shown).toContain("http://192.168.1.7:8000/?token=open-sesame\n");
  expect(shown).toMatch(/^ {2}[█▀▄ ]{20,}$/m);
  expect(signInHint("/data/access-token")).toContain("robot-daemon link");
});
