import { gzipSync } from "node:zlib";
import type { Verdict } from "../verdict/verdict.ts";
import type { Comparison } from "./compare.ts";

/** Where the page wants its verdict; a comment, which the page's build leaves in place. */
const PLACE = "<!-- verdict -->";

/**
 * A certification as one HTML file that opens without a server or a network.
 * @param page the built page (`dist/report-page/index.html`), all of its assets in it
 * @param comparison with an earlier verdict
 * @throws Error when the page has no place for a verdict
 */
export function renderReport(verdict: Verdict, page: string, comparison: Comparison | null = null): string {
  const parts = page.split(PLACE);
  if (parts.length !== 2) throw new Error(`The report's page must have ${PLACE} once, not ${parts.length - 1} times.`);
  // Base64 has no sign that HTML knows, so no text of the app can leave the element.
  const embedded = comparison === null ? verdict : { ...verdict, comparison };
  const data = gzipSync(JSON.stringify(embedded), { level: 9 }).toString("base64");
  return parts.join(`<script type="application/gzip" id="verdict">${data}</script>`);
}
