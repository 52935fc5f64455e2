import { z } from "zod";
import { MAX_PATH_LENGTH } from "./limits.ts";

/** Characters of a file's text. Larger files are for other editors. */
const MAX_TEXT = 1_000_000;
/** Files of a request. */
const MAX_FILES = 200;

/** A file of the app by its path inside the app, with "/" between folders, and a text for it. */
export const FileText = z.object({ name: z.string().min(1).max(MAX_PATH_LENGTH), text: z.string().max(MAX_TEXT) });
export type FileText = z.infer<typeof FileText>;

/** A file as it was read. */
export const WorkshopFile = FileText.extend({
  hash: z.string().max(64).describe("SHA-256 of the file's bytes in hexadecimal digits; empty for a new file"),
});
export type WorkshopFile = z.infer<typeof WorkshopFile>;

/** A file that is written, by its path inside the app; no hash when it is removed. */
export const WrittenFile = WorkshopFile.pick({ name: true, hash: true });
export type WrittenFile = z.infer<typeof WrittenFile>;

/** An edit that can be undone. */
export const UndoableEdit = z.object({
  time: z.string().describe("When it was kept, ISO 8601; names the edit"),
  instruction: z.string(),
  files: z.array(z.string()),
});
export type UndoableEdit = z.infer<typeof UndoableEdit>;

/** Which app can be edited here; null when none can. */
export const WorkshopStatus = z.object({ app: z.string().nullable() });
export type WorkshopStatus = z.infer<typeof WorkshopStatus>;

export const OpenWorkshopBody = z.object({
  folder: z
    .string()
    .regex(/^\//, "an absolute path, for example /home/me/my_app")
    .max(4096)
    .describe("The app's folder, absolute, on the daemon's machine"),
  secret_file: z
    .string()
    .max(200)
    .describe(
      "Name of a file in it, `.robot-edit-NAME.secret`, which only the daemon's user can read, with the secret for later requests",
    ),
});

/** The app that is edited. */
export const WorkshopContents = z.object({
  app: z.string(),
  folder: z.string(),
  main: z.string().describe("The file that is opened first"),
  files: z.array(WorkshopFile),
  revision: z.string().describe("Changes when any of the author's files does, also one that is no text"),
  undoable: UndoableEdit.nullable().describe("The last edit, which undo takes back"),
  interrupted: z.array(z.string()).describe("What became of edits whose write was interrupted, for people"),
  physical: z.boolean().describe("Whether the robot is a physical one, which runs kept code only"),
});
export type WorkshopContents = z.infer<typeof WorkshopContents>;

/** What is changed and not kept: a new text for each file. */
export const Changes = z.object({ files: z.array(FileText).max(MAX_FILES) });

/** A finding of the check. */
export const WorkshopFinding = z.object({
  id: z.string(),
  level: z.enum(["MUST", "SHOULD"]),
  file: z.string(),
  line: z.number().nullable().describe("From 1; null for the whole file"),
  message: z.string(),
});
export type WorkshopFinding = z.infer<typeof WorkshopFinding>;

/** Where the last failure of the app leads to. */
export const FailurePlace = z.object({
  file: z.string().describe("A file of the app by its path inside the app"),
  line: z.number().describe("From 1"),
});
export type FailurePlace = z.infer<typeof FailurePlace>;

export const TryBody = Changes.extend({
  confirmed: z.boolean().default(false).describe("Whether a person has confirmed that a physical robot moves"),
});

export const KeepBody = z.object({
  files: z.array(WorkshopFile).min(1).max(MAX_FILES),
  instruction: z.string().max(20_000).default("").describe("What the edit was for"),
  confirmed: z
    .array(z.string().max(MAX_PATH_LENGTH))
    .max(MAX_FILES)
    .default([])
    .describe("Files that an install or a test executes and that a person has confirmed"),
});
export type KeepBody = z.output<typeof KeepBody>;

/** What a keep or an undo did: to the files, and then to the app that runs. */
export const WriteResult = z.object({
  edit: z.string().nullable().describe("The `time` of the edit; null when the files had these texts already"),
  written: z.array(z.string()).describe("The files that were written or removed: all of them, since otherwise none is"),
  run: z
    .object({
      state: z.enum(["unchanged", "stopped", "started", "failed"]),
      problem: z.object({ code: z.string(), detail: z.string() }).nullable().describe("Why it failed"),
    })
    .describe("What became of the app's run"),
  contents: WorkshopContents.nullable().describe("The app as it is now; null when it cannot be read"),
});
export type WriteResult = z.infer<typeof WriteResult>;

export const UndoBody = z.object({
  edit: z.string().nullable().describe("The `time` of the edit to undo; null takes back only what was tried"),
});
