// npm run lab -- screenshot URL OUT.png [light|dark] [WIDTH] [HEIGHT]: takes a screenshot of a page three seconds
// after it has loaded. Uses the Chromium at CHROMIUM, or this machine's, with software WebGL.
import { browserPath, openBrowser } from "../daemon/http/testing/browser.ts";

const [url, out, theme = "light", width = "1440", height = "900"] = process.argv.slice(2);
if (url === undefined || out === undefined) {
  console.error("usage: npm run lab -- screenshot URL OUT.png [light|dark] [WIDTH] [HEIGHT]");
  process.exit(2);
}
if (browserPath === undefined) throw new Error("There is no Chromium: apt install chromium, or set CHROMIUM.");
const browser = await openBrowser(browserPath);
try {
  const page = await browser.newPage({
    viewport: { width: Number(width), height: Number(height) },
    colorScheme: theme === "dark" ? "dark" : "light",
    deviceScaleFactor: Number(width) < 600 ? 2 : 1,
  });
  page.on("console", (message) => {
    if (message.type() === "error") console.error(`page: ${message.text()}`);
  });
  page.on("pageerror", (error) => console.error(`page: ${error.message}`));
  await page.goto(url, { waitUntil: "load", timeout: 30_000 });
  await page.waitForTimeout(3000);
  await page.screenshot({ path: out, timeout: 120_000 });
} finally {
  await browser.close();
}
