import { z } from "zod";
import { readJson, writeJson } from "../../files/json-file.ts";

/** The content of `startup-app.json`. */
export const StartupAppFile = z.object({ startup_app: z.string().nullable() });

/** The startup app's name; null when there is none or the file is unreadable. */
export async function readStartupAppName(file: string): Promise<string | null> {
  return (await readJson(file, StartupAppFile))?.startup_app ?? null;
}

/** @throws WorkbenchError `disk-full` */
export async function writeStartupAppName(file: string, name: string | null): Promise<void> {
  await writeJson(file, { startup_app: name }, { what: "The choice of the startup app" });
}
