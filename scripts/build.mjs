// npm run build: the programs and the dashboard into dist/.
import { buildPrograms, checkNode } from "./setup/prepare.mjs";
import { script } from "./setup/steps.mjs";

await script(async () => {
  checkNode();
  await buildPrograms();
});
