import { relative } from "node:path";
import type { RequirementProblem } from "../../robot/wire/workshop/certification.ts";
import type { WorkshopFinding } from "../../robot/wire/workshop/workshop.ts";
import { placeInApp, type TracedPlace } from "./traceback.ts";

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
  const { id, message, file, line } = finding;
  if (!("title" in finding)) {
    const task = "A check of this robot app found a problem in this file. Fix it and nothing else.";
    const place = line === null ? "" : `line ${line}: `;
    return { file: finding.file, instruction: `${task}\n- ${place}${message} (${id})` };
  }
  const { title } = finding;
  const fileToEdit = file !== null && texts.has(file) ? file : main;
  const place = [file !== null && file !== fileToEdit ? file : "", line === null ? "" : `line ${line}`];
  const where = place.filter((part) => part !== "").join(", ");
  const findingLine = `- ${where === "" ? "" : `${where}: `}${message}`;
  const task = `A robot ran this app, which does not meet a requirement: ${title} (${id}).`;
  return { file: fileToEdit, instruction: `${task} Change what is needed for it and nothing else.\n${findingLine}` };
}

/** The instruction that ends what led to a traceback. */
export const tracebackInstruction = ({ line, text }: TracedPlace): string =>
  `The app ended with this traceback; its cause is near line ${line}. Fix it and nothing else.\n${text}`;

/**
 * Where the last traceback in a log leads to in the app; null when it has none with a line of the app.
 * @param folders where the app ran: its own folder and that of tries
 * @param files paths of the app's files
 * @returns the file by its path inside the app
 */
export function failurePlace(log: string, folders: readonly string[], files: readonly string[]): TracedPlace | null {
  for (const folder of folders) {
    const place = placeInApp(log, folder, files);
    if (place !== null) return { ...place, file: relative(folder, place.file) };
  }
  return null;
}
