import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { onePage } from "./into-one-file.ts";

const BUILT = `<!doctype html>
<html>
  <head>
    <script type="module" crossorigin src="./assets/index.js"></script>
    <link rel="stylesheet" crossorigin href="./assets/index.css">
  </head>
  <body><!-- verdict --></body>
</html>`;

test("script and style stand in the page, which allows that script and nothing else", () => {
  const page = onePage(BUILT, 'say("</script><!--", "$&")', "a{b:c}");
  const [, code = ""] = /<script type="module">(.*?)<\/script>/s.exec(page) ?? [];
  expect(code).toBe('say("\\x3C/script>\\x3C!--", "$&")');
  expect(page).toContain(`script-src 'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  expect(page).toContain("default-src 'none'");
  expect(page).toContain("<style>a{b:c}</style>");
  expect(page).not.toContain("./assets");
  expect(page.indexOf("<!-- verdict -->")).toBeLessThan(page.indexOf(code));
});
