import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { readFiles } from "../../check/app/read-files.ts";
import { type CheckReport, checkApp } from "../../check/check-app.ts";
import { formatReport } from "../../check/format-report.ts";
import type { Finding } from "../../check/requirement.ts";
import { EXIT, type Terminal } from "../../terminal.ts";
import type { EditFlags } from "./flags.ts";
import { runSingleFileEdit } from "./run-single-file.ts";
import { placeInApp, type TracedPlace } from "./traceback.ts";

/** A file to edit, absolute, and what to do in it. */
interface Fix {
  file: string;
  instruction: string;
}

/**
 * `edit --fix-findings` and `edit --traceback`: sends the findings of the check, or a traceback, to the model as the
 * instruction for each file that they name. Every edit is applied exactly or refused; the app is checked at the end.
 * @throws WorkbenchError `bad-request` when there is nothing that an edit could fix
 */
export async function runFixes(app: string, flags: EditFlags, terminal: Terminal): Promise<void> {
  const fixes =
    flags.traceback === undefined
      ? await fixesOfCheck(app, flags, terminal)
      : [await fixOf(app, flags.traceback, terminal)];
  const known = {};
  for (const { file, instruction } of fixes) {
    terminal.signal.throwIfAborted();
    await runSingleFileEdit({ app, file }, { ...flags, instruction, check: false }, terminal, known);
  }
  if (!flags.check || flags.dryRun || fixes.length === 0) return;
  const report = await checkApp(app, terminal.signal);
  if (flags.json) terminal.out(`${JSON.stringify({ status: "checked", checkReport: report })}\n`);
  else terminal.out(formatReport(report, terminal.colour));
  if (report.verdict !== "conformant") terminal.setExitCode(EXIT.failed);
}

async function fixesOfCheck(app: string, flags: EditFlags, terminal: Terminal): Promise<Fix[]> {
  const report = await checkApp(app, terminal.signal);
  const files = await readFiles(app, terminal.signal);
  const byFile = new Map<string, NamedFinding[]>();
  for (const finding of findingsOf(report)) byFile.set(finding.file, [...(byFile.get(finding.file) ?? []), finding]);
  const fixes: Fix[] = [];
  for (const [file, findings] of byFile) {
    if (typeof files.get(file) === "string") {
      fixes.push({ file: join(app, file), instruction: findingsInstruction(findings) });
    } else terminal.err(`${file} is no text file that could be edited:\n${findingLines(findings)}\n`);
  }
  if (fixes.length > 0) return fixes;
  if (byFile.size > 0) throw new WorkbenchError("bad-request", "No finding is in a file that could be edited.");
  if (!flags.json) terminal.out("The check finds nothing to fix.\n");
  return [];
}

type NamedFinding = Finding & { id: string };

const findingLines = (findings: readonly NamedFinding[]): string =>
  findings.map(({ id, line, message }) => `- ${line === null ? "" : `line ${line}: `}${message} (${id})`).join("\n");

export const findingsInstruction = (findings: readonly NamedFinding[]): string =>
  `A check of this robot app found problems in this file. Fix them and nothing else.\n${findingLines(findings)}`;

export const tracebackInstruction = ({ line, text }: TracedPlace): string =>
  `The app ended with this traceback; its cause is near line ${line}. Fix it and nothing else.\n${text}`;

const findingsOf = ({ results }: CheckReport): NamedFinding[] =>
  results
    .filter(({ status }) => status === "fail" || status === "warn")
    .flatMap(({ id, findings }) => findings.map((finding) => ({ id, ...finding })));

async function fixOf(app: string, source: string, terminal: Terminal): Promise<Fix> {
  const log = await readLog(source, terminal);
  const files = [...(await readFiles(app, terminal.signal)).keys()];
  const place = placeInApp(log, app, files);
  if (place === null) {
    const what = source === "-" ? "The standard input" : source;
    throw new WorkbenchError(
      "bad-request",
      `${what} has no traceback with a line of ${app}; give the output of the app.`,
    );
  }
  return { file: place.file, instruction: tracebackInstruction(place) };
}

async function readLog(source: string, terminal: Terminal): Promise<string> {
  if (source !== "-") {
    return readFile(resolve(terminal.cwd, source), "utf8").catch((cause: NodeJS.ErrnoException) => {
      throw new WorkbenchError("bad-request", `${source} cannot be read (${cause.code}).`, { cause });
    });
  }
  const parts: Uint8Array[] = [];
  for await (const part of terminal.stdin) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
