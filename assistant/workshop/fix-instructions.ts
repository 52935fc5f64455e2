import { relative } from "node:path";
import type { RequirementProblem } from "../../robot/wire/workshop/certification.ts";
import type { WorkshopFinding } from "../../robot/wire/workshop/workshop.ts";
import { findingsInstruction, tracebackInstruction } from "../commands/edit/fix.ts";
import { placeInApp } from "../commands/edit/traceback.ts";

/** A file to edit, by its path inside the app, and what to do in it. */
interface FixInstruction {
  file: string;
  instruction: string;
}

/**
 * The instruction that ends a finding of the check, or has the app meet a requirement.
 * @param texts the app's files by path @param main is edited for a requirement without a finding in one of them
 */
export function findingInstruction(
  finding: WorkshopFinding | RequirementProblem,
  texts: ReadonlyMap<string, string>,
  main: string,
): FixInstruction {
  if (!("title" in finding)) return { file: finding.file, instruction: findingsInstruction([finding]) };
  const { id, title, message, file, line } = finding;
  const fileToEdit = file !== null && texts.has(file) ? file : main;
  const place = [file !== null && file !== fileToEdit ? file : "", line === null ? "" : `line ${line}`];
  const where = place.filter((part) => part !== "").join(", ");
  const findingLine = `- ${where === "" ? "" : `${where}: `}${message}`;
  const task = `A robot ran this app, which does not meet a requirement: ${title} (${id}).`;
  return { file: fileToEdit, instruction: `${task} Change what is needed for it and nothing else.\n${findingLine}` };
}

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
