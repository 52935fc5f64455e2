// Run by `npm pack` and `npm publish`: builds all that the package contains. Writes to the standard error only, because the
// standard output of `npm pack --json` is the list of files.
import { buildPrograms, checkNode } from "./setup/prepare.mjs";
import { preparePython } from "./setup/python-env.mjs";
import { buildSdkPackages } from "./setup/sdk-package.mjs";
import { script } from "./setup/steps.mjs";

process.stdout.write = process.stderr.write.bind(process.stderr);

await script(async () => {
  checkNode();
  await buildPrograms();
  await preparePython();
  await buildSdkPackages();
});
