import { embedData } from "../../common/embed-data.ts";
import type { Verdict } from "../verdict/verdict.ts";
import type { Comparison } from "./compare.ts";

/**
 * A certification as one HTML file that opens without a server or a network.
 * @param page the built page (`dist/report-page/index.html`), all of its assets in it
 * @param comparison with an earlier verdict
 * @throws Error when the page has no place for a verdict
 */
export function renderReport(verdict: Verdict, page: string, comparison: Comparison | null = null): string {
  return embedData(page, "verdict", comparison === null ? verdict : { ...verdict, comparison });
}
