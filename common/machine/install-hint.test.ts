import { expect, test } from "vitest";
import { installHint } from "./install-hint.ts";

test.each([
  ["/usr/bin/apt-get", "apt install python3 python3-venv"],
  ["/usr/bin/dnf", "dnf install python3"],
  ["/opt/homebrew/bin/brew", "brew install python"],
  ["", "install Python 3.10 or newer with its venv module"],
])("with %s, Python is installed by %s", (file, hint) => {
  expect(installHint("python", (path) => path === file)).toBe(hint);
});
