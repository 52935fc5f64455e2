import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseModule } from "../../common/python/parse-module.ts";
import { pythonOfApp } from "../../robot/project/python-of-app.ts";
import { type CheckReport, checkFiles, readApp } from "../check/check-app.ts";
import { rulesOfSettings } from "../check/settings.ts";
import { escapeControls } from "../escape-controls.ts";

/**
 * Checks an app with the rules that its settings select.
 * @throws WorkbenchError `bad-request` when there is no such folder, `check-failed` when it cannot be read, `usage` for
 *   invalid settings; the signal's reason when aborted
 */
export async function quickCheck(folder: string, signal: AbortSignal): Promise<CheckReport> {
  const files = await readApp(folder, signal);
  return checkFiles(folder, files, rulesOfSettings(files));
}

/** The first syntax error in some files of an app, as `file:line: message`; undefined when they parse. */
export async function syntaxErrorIn(folder: string, files: readonly string[]): Promise<string | undefined> {
  for (const file of files.filter((name) => name.endsWith(".py"))) {
    const text = await readFile(path.join(folder, file), "utf8").catch(() => undefined); // removed meanwhile
    if (text === undefined) continue;
    const result = parseModule(text, await pythonOfApp(folder));
    if ("error" in result) return escapeControls(`${file}:${result.error.line}: ${result.error.message}`);
  }
  return undefined;
}

/** The findings of a report, one line each, without those of a report before; one line when all are gone. */
export function newFindings(report: CheckReport, before: CheckReport): string[] {
  const lines = ({ results }: CheckReport) =>
    results.flatMap(({ id, findings }) =>
      findings.map(({ file, line, message }) =>
        escapeControls(`${id} ${line === null ? file : `${file}:${line}`}  ${message}`).replaceAll("\n", " "),
      ),
    );
  const old = lines(before);
  const now = lines(report);
  if (now.length === 0 && old.length > 0) return ["check: nothing left to fix"];
  return now.filter((line) => !old.includes(line)).map((line) => `check: ${line}`);
}
