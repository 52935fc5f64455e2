import { expect, test } from "vitest";
import type { DaemonOptions } from "../command-line/invocation.ts";
import { parseInvocation } from "../command-line/options.ts";
import { greeting, signInHint, signInLink, workshopHint } from "./greeting.ts";

const PARTS = {
  context: { version: "1", env: {}, commandFor: (program: string) => program, isTerminal: true },
  url: "http://x",
  port: 80,
  token: null,
  workshop: null,
};

test.each([
  [["--sim"], true, "with a simulated robot\n"],
  [[], true, "with the robot\n"],
  [[], false, "with no robot yet: it connects as soon as there is one\n"],
])("%j, connected: %j, greets %s", (args, isConnected, words) => {
  const { options } = parseInvocation(args, {}, "1", () => {}) as { options: DaemonOptions };
  expect(greeting({ ...PARTS, options, isConnected })).toContain(words);
});

test("the commands fit the options that were given", () => {
  const greet = (...args: string[]) =>
    greeting({
      ...PARTS,
      options: (parseInvocation(args, {}, "1", () => {}) as { options: DaemonOptions }).options,
      isConnected: true,
    });
  expect(greet()).toContain("robot-daemon start APP   also");
  expect(greet("--data-dir", "/my data")).toContain("robot-app-assistant dev my_app --open --data-dir '/my data'");
  expect(greet("--startup-app", "hello_robot", "--data-dir", "/my data")).toContain(
    "robot-daemon start hello_robot --data-dir '/my data'",
  );
});

test("a terminal shows the sign-in link and its QR code, a log only how to get them", () => {
  const shown = signInLink("http://192.168.1.7:8000", "open-sesame");
  expect(shown).toContain("http://192.168.1.7:8000/?token=open-sesame\n");
  expect(shown).toMatch(/^ {2}[█▀▄ ]{20,}$/m);
  expect(signInHint("/data/access-token")).toContain("robot-daemon link");
});

test("a terminal shows the link to edit an app, a log only how to get one", () => {
  expect(workshopHint("hello", "http://x/#workshop=secret")).toContain(
    "  http://x/#workshop=secret   hello; keep this link",
  );
  expect(workshopHint("hello", null)).toContain("set ROBOT_WORKSHOP_SECRET");
});
