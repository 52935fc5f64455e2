import { expect, test } from "vitest";
import { signInHint, signInLink } from "./greeting.ts";

test("the terminal shows the link and a code to scan, a log only where to look", () => {
  const shown = signInLink("http://192.168.1.7:8000", "open-sesame");
  expect(shown).toContain("http://192.168.1.7:8000/?token=open-sesame\n");
  expect(shown).toMatch(/^ {2}[█▀▄ ]{20,}$/m);
  expect(signInHint("/data/access-token")).toContain("robot-daemon link");
});
