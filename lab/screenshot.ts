// npm run lab -- screenshot URL OUT.png [light|dark] [WIDTH] [HEIGHT]: takes a screenshot of a page three seconds
// after it has loaded. Uses the Chromium at CHROMIUM (default /usr/bin/chromium) with software WebGL.
import { chromium } from "playwright-core";

const [url, out, theme = "light", width = "1440", height = "900"] = process.argv.slice(2);
if (url === undefined || out === undefined) {
  console.error("usage: npm run lab -- screenshot URL OUT.png [light|dark] [WIDTH] [HEIGHT]");
  process.exit(2);
}
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--headless=new",
    "--no-sandbox",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
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
