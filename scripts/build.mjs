// npm run build: builds the programs and pages into dist/.
import { buildPrograms, checkNode } from "./setup/prepare.mjs";
import { script } from "./setup/steps.mjs";

await script(async () => {
  checkNode();
  await buildPrograms();
});
