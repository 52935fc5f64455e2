import type { MultiFileResult } from "../../../edit/session/edit-files.ts";
import { journalFolder, writeEdit } from "../../../edit/session/journal.ts";
import { type CheckReport, checkApp } from "../../check/check-app.ts";
import { formatReport } from "../../check/format-report.ts";
import { EXIT, type Terminal } from "../../terminal.ts";
import type { EditFlags } from "./flags.ts";
import { resultAsText } from "./format-result.ts";
import { recoveredTo } from "./report-recovered.ts";
import { showsAnswer } from "./request-options.ts";

/**
 * Shows the result of an edit, and once confirmed writes it and checks the app.
 * @param app undefined for a file outside of any app
 * @param json the result, with --json
 * @throws WorkbenchError `edit-refused` when a file cannot be written, or changed since it was read
 */
export async function finishEdit(
  outcome: MultiFileResult,
  app: string | undefined,
  json: object,
  flags: EditFlags,
  terminal: Terminal,
): Promise<void> {
  const wasShown = showsAnswer(flags, terminal) && outcome.status !== "refused";
  if (!flags.json) terminal.out(resultAsText(wasShown ? { ...outcome, explanation: "" } : outcome, terminal.colour));
  const written = outcome.status === "applied" && (await confirmEdit(flags, terminal));
  if (written) await write(outcome.files, flags, terminal);
  const checkReport = written ? await checkEditedApp(app, flags, terminal) : null;
  const check = checkReport === null ? "skipped" : checkReport.verdict === "conformant" ? "passed" : "failed";
  if (flags.json) terminal.out(`${JSON.stringify({ ...json, written, check, checkReport })}\n`);
  const declined = outcome.status === "applied" && !written && !flags.dryRun;
  if (outcome.status === "refused" || declined || check === "failed") terminal.setExitCode(EXIT.failed);
}

/** Asks whether to apply an edit; false with --dry-run, true with --yes, and with --hunks, which has asked for each change. */
async function confirmEdit(flags: EditFlags, terminal: Terminal): Promise<boolean> {
  if (flags.dryRun) return false;
  if (flags.hunks || flags.yes || (await terminal.confirm("Apply this edit?"))) return true;
  terminal.err("Not applied. --yes applies without asking.\n");
  return false;
}

async function write(
  files: Extract<MultiFileResult, { status: "applied" }>["files"],
  { json, instruction = "" }: EditFlags,
  terminal: Terminal,
): Promise<void> {
  const made = { time: terminal.now().toISOString(), instruction };
  await writeEdit(journalFolder(terminal.env), files, made, recoveredTo(terminal));
  const names = files.map(({ name }) => name).join(", ");
  if (!json) terminal.out(`Applied to ${names}. Undo it with --undo${files.length === 1 ? "" : ", in all of them"}.\n`);
}

/** Checks the app after the edit and shows the report; null without an app, or with --no-check. */
async function checkEditedApp(
  app: string | undefined,
  flags: EditFlags,
  terminal: Terminal,
): Promise<CheckReport | null> {
  if (app === undefined || !flags.check) return null;
  const checked = await checkApp(app, terminal.signal);
  if (!flags.json) terminal.out(formatReport(checked, terminal.colour));
  return checked;
}
