import type { Format } from "./format.ts";

/** One object, for programs (docs/checks.md). */
export const formatJson: Format = (report) => `${JSON.stringify(report)}\n`;
