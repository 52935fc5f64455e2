import { execFileSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const MODULE = pathToFileURL(path.join(import.meta.dirname, "open-files.ts")).href;

test("the limit is that of the process", () => {
  const code = `import { openFilesLimit } from ${JSON.stringify(MODULE)}; console.log(openFilesLimit());`;
  const run = `ulimit -n 200; exec "$0" --import tsx --input-type=module -e '${code}'`;
  expect(Number(execFileSync("sh", ["-c", run, process.execPath], { encoding: "utf8" }))).toBe(200);
});
