// Writes the pages about compatibility from the code: node --import tsx lab/ecosystem/write-page.ts
import { writeFileSync } from "node:fs";
import { compatibilityPages } from "../../conformance/docs/compatibility-page.ts";

for (const [page, text] of Object.entries(compatibilityPages())) writeFileSync(page, text);
