import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import writeFileAtomic from "write-file-atomic";
import { embedData } from "../../common/embed-data.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { MotionPageData } from "../../robot/wire/film.ts";

/** Where the built page is, seen from the built programs and from the sources. */
const PLACES = ["../../motion-page/index.html", "../../dist/motion-page/index.html"];

/**
 * Writes a motion, or two over each other, as one HTML file that opens without a server or a network; whole or not at all.
 * @throws WorkbenchError `internal` when the page was never built, `bad-request` when the file cannot be written
 */
export async function writeMotionPage(file: string, data: MotionPageData): Promise<void> {
  const page = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (page === undefined) throw new WorkbenchError("internal", "The page of motions is not built; run npm run build.");
  await writeFileAtomic(file, embedData(await readFile(page, "utf8"), "motion", data)).catch((error: Error) => {
    throw new WorkbenchError("bad-request", `${file} cannot be written: ${error.message}`, { cause: error });
  });
}
