import { relative, sep } from "node:path";
import { NO_FILE, readPossibleSource } from "../../../edit/apply/file.ts";
import { findTargets } from "../../../edit/session/find-file.ts";
import { requestMultiFileEdit } from "../../../edit/session/request-multi-file-edit.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Terminal } from "../../terminal.ts";
import { openModel } from "../model/options.ts";
import { finishEdit } from "./finish-edit.ts";
import type { EditFlags } from "./flags.ts";
import { resultAsJson } from "./format-result.ts";
import {
  instructionText,
  MIN_TOKENS,
  olderVersions,
  reporter,
  requestOptions,
  showsAnswer,
} from "./request-options.ts";

/** Options of an edit of one file that exists. */
const OF_ONE_FILE = ["format", "convention", "lines", "hunks", "local", "undo"] as const;

/**
 * Asks the model for an edit of several files, of which some may not exist yet, shows it, and once confirmed writes all of
 * them and checks the app.
 * @throws WorkbenchError `usage` without an instruction, or with an option that makes sense for one file only
 */
export async function runMultiFileEdit(
  path: string,
  names: readonly string[],
  flags: EditFlags,
  terminal: Terminal,
): Promise<void> {
  refuseOptions(flags);
  const { app, files: paths } = await findTargets(terminal.cwd, path, names);
  const reads = paths.map(async (each) => {
    const source = await readPossibleSource(each);
    return {
      name: relative(app, each).split(sep).join("/"),
      source,
      history: await olderVersions(source, flags, terminal),
    };
  });
  const files = await Promise.all(reads);
  const report = reporter(flags, terminal);
  const instruction = await instructionText(flags, terminal);
  const client = await openModel(flags, terminal);
  const labels = files.map(({ name, source }) => (source.hash === NO_FILE ? `${name} (new)` : name));
  report(`Asking ${client.model} about ${labels.join(", ")}...\n`);
  const maxTokens = flags.maxTokens ?? MIN_TOKENS * files.length;
  const options = requestOptions(client, flags, terminal);
  const { outcome, attempts } = await requestMultiFileEdit({ ...options, app, files, instruction, maxTokens });
  if (showsAnswer(flags, terminal)) report("\n");
  await finishEdit(outcome, app, { ...resultAsJson(outcome), attempts }, flags, terminal);
}

function refuseOptions(flags: EditFlags): void {
  const given = OF_ONE_FILE.find((name) => flags[name] !== undefined);
  const refuse = (what: string, next: string) => new WorkbenchError("usage", `${what}: ${next}.`);
  if (flags.undo) throw refuse("--undo undoes an edit in all of its files", "name one of them");
  if (given === "local")
    throw refuse("--local runs models that edit one file", "name one file, or a server with --server-url");
  if (flags.instruct === false)
    throw refuse("Several or new files are asked for with instructions", "leave --no-instruct out, or name one file");
  if (given !== undefined)
    throw refuse(`--${given} is for an edit of one file that exists`, `leave it out, or name one file`);
  if (!flags.instruction)
    throw refuse(
      "An edit of several or of new files needs an instruction",
      'say what to change, as in -i "Wave twice."',
    );
}
