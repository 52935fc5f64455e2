import { expect, test } from "vitest";
import { installedText } from "./install-text.ts";

test.each([
  [{ packages: 1, bytes: 12_345, seconds: 4.46 }, "1 package, 13 kB, 4.5 s"],
  [{ packages: 3, bytes: 12_345_678, seconds: 8.2 }, "3 packages, 12.3 MB, 8.2 s"],
])("%j is %s", (install, text) => {
  expect(installedText(install)).toBe(text);
});
