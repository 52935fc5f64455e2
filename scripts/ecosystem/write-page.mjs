// Writes docs/compatibility.md from the code: node --import tsx scripts/ecosystem/write-page.mjs
import { writeFileSync } from "node:fs";
import { compatibilityPage } from "../../conformance/docs/compatibility-page.ts";

writeFileSync("docs/compatibility.md", compatibilityPage());
