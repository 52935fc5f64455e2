// npm run setup: prepares a fresh clone for work: dependencies, build, and the tests' Python environment.
import { buildPrograms, checkNode, installDependencies } from "./setup/prepare.mjs";
import { preparePython } from "./setup/python-env.mjs";
import { script } from "./setup/steps.mjs";

await script(async () => {
  checkNode();
  await installDependencies();
  await buildPrograms();
  await preparePython();
});
