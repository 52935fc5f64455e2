import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { Emitter } from "../../common/emitter.ts";
import { isInside } from "../../common/machine/is-inside.ts";
import { SerialQueue } from "../../common/serial-queue.ts";
import { hashText } from "../../edit/apply/apply.ts";
import { formatRecovered, journalFolder, type RecoveredEdit, recoverEdits } from "../../edit/session/journal.ts";
import { pythonOfProject } from "../../robot/project/python-of-app.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { AskEvent } from "../../robot/wire/workshop/ask.ts";
import type { RequirementProblem } from "../../robot/wire/workshop/certification.ts";
import type {
  FailurePlace,
  FileText,
  WorkshopContents,
  WorkshopFinding,
  WrittenFile,
} from "../../robot/wire/workshop/workshop.ts";
import { type App, describeApp } from "../check/app/app.ts";
import { readApp } from "../check/check-app.ts";
import { askModel } from "./ask.ts";
import { keepEdit, undoableEdit, undoLast } from "./edits.ts";
import { findingsWith, SyntaxFindings, syntaxFinding } from "./findings.ts";
import { failurePlace, findingInstruction, tracebackInstruction } from "./fix-instructions.ts";
import { authorTexts, fileNameFindings, placeIn, readSteadyApp, revisionOf } from "./folder-files.ts";
import { ShadowCopy } from "./shadow-copy.ts";

interface WorkshopOptions {
  /** The app's folder, absolute. */
  folder: string;
  /** Folder for copies of the app, which only this workshop uses. */
  copiesFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  now(): Date;
}

/** What became of interrupted edits is shown this often at most. */
const MAX_INTERRUPTED = 10;

/**
 * Opens an app's folder for editing over HTTP: the implementation of the daemon's `Workshop`.
 * @throws WorkbenchError `bad-request` when there is no such folder, `app-invalid` when it is no app
 */
export async function openWorkshop({ folder, copiesFolder, env, now }: WorkshopOptions) {
  const app = nameOf(describeApp(await readApp(folder, new AbortController().signal)), folder);
  const root = await realpath(folder);
  const journal = journalFolder(env);
  const writes = new Emitter<readonly WrittenFile[]>();
  const interrupted = new Set<string>();
  const notify = (recovered: RecoveredEdit): void => {
    if (interrupted.size >= MAX_INTERRUPTED) interrupted.delete([...interrupted][0] ?? "");
    interrupted.add(formatRecovered(recovered, (path) => (isInside(root, path) ? relative(root, path) : path)));
  };
  const place = { journal, folder, root, now, writes, notify };
  const [shadowFolder, certifiedFolder] = [join(copiesFolder, "try"), join(copiesFolder, "certify", app)];
  const shadow = new ShadowCopy(root, shadowFolder, copiesFolder);
  const certified = new ShadowCopy(root, certifiedFolder, copiesFolder);
  /** Runs one write after the other: each compares the files with those that the client has read. */
  const writing = new SerialQueue();
  const syntax = new SyntaxFindings();
  const read = async (signal: AbortSignal) => {
    const files = await readSteadyApp(folder, signal);
    return { files, texts: await authorTexts(root, files) };
  };
  const contents = async (signal: AbortSignal): Promise<Omit<WorkshopContents, "physical">> => {
    await recoverEdits(journal, { notify }).catch(() => undefined); // the next write says why it cannot be done
    const { files, texts } = await read(signal);
    const revision = await revisionOf(root, files, texts);
    const listed = [...texts].map(([name, text]) => ({ name, text, hash: hashText(text) }));
    const undoable = undoableEdit(journal, root, listed);
    const main = describeApp(files).main.path;
    return { app, folder, main, files: listed, revision, undoable, interrupted: [...interrupted] };
  };
  return {
    app,
    folder,
    writes,
    /** The app's files, read when no write is under way, so that `writes` has reported what they hold. */
    contents: (signal: AbortSignal) => writing.run(() => contents(signal)),
    async check(changes: readonly FileText[], signal: AbortSignal) {
      const nameFindings = await Promise.all(changes.map(({ name }) => fileNameFindings(root, name)));
      const files = await readSteadyApp(folder, signal);
      return [...nameFindings.flat(), ...(await findingsWith(folder, files, changes, syntax))];
    },
    async shadow(changes: readonly FileText[], signal: AbortSignal) {
      const { files, texts } = await read(signal);
      const changed = changes.filter(({ name, text }) => texts.get(name) !== text);
      for (const { name } of changed) await placeIn(root, name);
      const python = changed.filter(({ name }) => name.endsWith(".py"));
      const version = pythonOfProject(withChanges(files, changed).get("pyproject.toml"));
      const [syntaxError] = (await Promise.all(python.map((each) => syntaxFinding(each, version)))).flat();
      if (syntaxError !== undefined) {
        const { file, line, message } = syntaxError;
        throw new WorkbenchError("edit-refused", `${file}:${line}: ${message} What runs goes on.`);
      }
      await shadow.update(textsByName(changed), signal);
      const { path } = describeApp(withChanges(files, changed)).main;
      const importFolder = path.startsWith("src/") ? join(shadowFolder, "src") : shadowFolder;
      return { importFolder, mainFile: join(shadowFolder, path), isKept: changed.length === 0 };
    },
    copyToCertify: (changes: readonly FileText[], signal: AbortSignal) =>
      writing.run(async () => {
        for (const { name } of changes) await placeIn(root, name);
        const { files, texts } = await read(signal);
        const revision = await revisionOf(root, files, texts);
        await certified.update(textsByName(changes), signal);
        return { folder: certifiedFolder, revision };
      }),
    keep: (edit: Parameters<typeof keepEdit>[1]) => writing.run(() => keepEdit(place, edit)),
    async ask(
      { file, files, instruction }: { file: string; files: readonly FileText[]; instruction: string },
      emit: (event: AskEvent) => void,
      signal: AbortSignal,
    ): Promise<void> {
      await placeIn(root, file);
      const kept = (await read(signal)).texts.get(file) ?? null;
      const text = files.find(({ name }) => name === file)?.text ?? kept ?? "";
      await askModel({ journal, folder, env }, { file, kept, text, instruction }, emit, signal);
    },
    async failurePlace(log: string, signal: AbortSignal): Promise<FailurePlace | null> {
      const place = failurePlace(log, [shadowFolder, folder], [...(await read(signal)).texts.keys()]);
      return place && { file: place.file, line: place.line };
    },
    async fixInstruction(
      fix: WorkshopFinding | RequirementProblem | "failure",
      log: string,
      signal: AbortSignal,
    ): Promise<{ file: string; instruction: string }> {
      const { files, texts } = await read(signal);
      if (fix !== "failure") return findingInstruction(fix, texts, describeApp(files).main.path);
      const place = failurePlace(log, [shadowFolder, folder], [...texts.keys()]);
      if (place !== null) return { file: place.file, instruction: tracebackInstruction(place) };
      throw new WorkbenchError(
        "bad-request",
        "The log has no traceback with a line of the app: nothing says what to fix.",
      );
    },
    undo(time: string): Promise<string[]> {
      return writing.run(async () => {
        const { undoable } = await contents(new AbortController().signal);
        if (undoable?.time !== time)
          throw new WorkbenchError("edit-refused", `The edit of ${time} is not the last one; load the files again.`);
        await undoLast(place, undoable);
        return undoable.files;
      });
    },
  };
}

const textsByName = (changes: readonly FileText[]) => new Map(changes.map(({ name, text }) => [name, text]));

/** The files of the folder with changes that are not kept. */
const withChanges = (files: ReadonlyMap<string, string | null>, changes: readonly FileText[]) =>
  new Map([...files, ...textsByName(changes)]);

/** The name of an app's entry point. @throws WorkbenchError `app-invalid` when it has none */
function nameOf({ entryName }: App, folder: string): string {
  if (entryName !== undefined) return entryName;
  throw new WorkbenchError(
    "app-invalid",
    `${folder} names no app: its pyproject.toml needs an entry point (PKG-003). robot-app-assistant check says how.`,
  );
}
