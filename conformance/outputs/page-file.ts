import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import writeFileAtomic from "write-file-atomic";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/** The built pages are beside the built programs; seen from the sources, in dist/. */
const PLACES = ["../..", "../../dist"];

/** A built page, waiting for its data. @throws WorkbenchError `internal` when it was never built */
export async function builtPage(name: "report" | "catalogue"): Promise<string> {
  const paths = PLACES.map((place) => fileURLToPath(new URL(`${place}/${name}-page/index.html`, import.meta.url)));
  const page = paths.find((path) => existsSync(path));
  if (page === undefined) throw new WorkbenchError("internal", `The ${name}'s page is not built; run npm run build.`);
  return readFile(page, "utf8");
}

/** Writes a page, whole or not at all. @throws WorkbenchError `bad-request` when there can be no such file */
export async function writePage(file: string, html: string): Promise<void> {
  await writeFileAtomic(file, html).catch((error: Error) => {
    throw new WorkbenchError("bad-request", `${file} cannot be written: ${error.message}`, { cause: error });
  });
}
