// Writes the pages about compatibility from the code: node --import tsx scripts/ecosystem/write-page.mjs
import { writeFileSync } from "node:fs";
import { compatibilityPages } from "../../conformance/docs/compatibility-page.ts";

for (const [page, text] of Object.entries(compatibilityPages())) writeFileSync(page, text);
