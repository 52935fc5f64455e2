import { relative } from "node:path";
import type { WorkshopFinding } from "../../robot/wire/workshop/workshop.ts";
import { findingsInstruction, tracebackInstruction } from "../commands/edit/fix.ts";
import { placeInApp } from "../commands/edit/traceback.ts";

/** A file to edit, by its path inside the app, and what to do in it. */
interface FixInstruction {
  file: string;
  instruction: string;
}

/** The instruction that ends a finding. */
export const findingInstruction = (finding: WorkshopFinding): FixInstruction => ({
  file: finding.file,
  instruction: findingsInstruction([finding]),
});

/**
 * The instruction that ends a failure of the app; null when its log has no traceback with a line of the app.
 * @param log its last lines @param folders where the app ran: its own folder and that of tries
 * @param files paths of the app's files
 */
export function failureInstruction(
  log: string,
  folders: readonly string[],
  files: readonly string[],
): FixInstruction | null {
  for (const folder of folders) {
    const place = placeInApp(log, folder, files);
    if (place !== null) return { file: relative(folder, place.file), instruction: tracebackInstruction(place) };
  }
  return null;
}
