import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { inlineAssets } from "./single-file.ts";

const BUILT = `<!doctype html>
<html>
  <head>
    <script type="module" crossorigin src="./assets/index.js"></script>
    <link rel="stylesheet" crossorigin href="./assets/index.css">
  </head>
  <body><!-- verdict --></body>
</html>`;

test("script and style are in the page, whose policy allows that script only", () => {
  const page = inlineAssets(BUILT, 'say("</script><!--", "$&")', "a{b:c}");
  const [, code = ""] = /<script type="module">(.*?)<\/script>/s.exec(page) ?? [];
  expect(code).toBe('say("\\x3C/script>\\x3C!--", "$&")');
  expect(page).toContain(`script-src 'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  expect(page).toContain("default-src 'none'");
  expect(page).toContain("<style>a{b:c}</style>");
  expect(page).not.toContain("./assets");
  expect(page.indexOf("<!-- verdict -->")).toBeLessThan(page.indexOf(code));
});
