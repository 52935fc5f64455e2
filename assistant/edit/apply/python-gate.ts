import type { Workspace } from "@astral-sh/ruff-wasm-nodejs";
import { tabFaults } from "./python-tabs.ts";
import type { SyntaxFault } from "./syntax-gate.ts";

/** Rules of the linter that are syntax errors in Python itself, beyond what its parser reports. */
const SYNTAX_RULES = ["F404", "F407", "F701", "F702", "F704", "F706", "F707", "PLE0117", "PLE0118", "PLE1142"];

/** The range of Python versions is the apps' own; the newest grammar refuses least. */
const TARGET = "py314";

let loading: Promise<Workspace> | undefined;

/** Ruff's parser as WebAssembly, 10 MB: loaded with the first Python edit and kept. */
function ruff(): Promise<Workspace> {
  loading ??= import("@astral-sh/ruff-wasm-nodejs").then(({ default: module, ...named }) => {
    const { Workspace: Checker } = { ...module, ...named };
    return new Checker({ "target-version": TARGET, lint: { select: SYNTAX_RULES } }, 1);
  });
  return loading;
}

/** The syntax errors of a Python text, in order. */
export async function pythonErrors(source: string): Promise<SyntaxFault[]> {
  const workspace = await ruff();
  const text = source.replace(/^\uFEFF/, "");
  const found = workspace.check(text) as { message: string; start_location: { row: number } }[];
  const faults = found.map(({ message, start_location }) => ({ message, line: start_location.row }));
  return faults.length > 0 ? faults : tabFaults(text, workspace.tokens(text));
}

/**
 * The syntax errors that an edit brings into a Python text. An error is the same before and after when its message and
 * its line's text are.
 */
export async function newPythonErrors(before: string, after: string): Promise<SyntaxFault[]> {
  const faults = await pythonErrors(after);
  if (faults.length === 0) return [];
  const key = (lines: string[], { line, message }: SyntaxFault) => `${message}\n${lines[line - 1]?.trim() ?? ""}`;
  const beforeLines = before.split("\n");
  const known = new Map<string, number>();
  for (const fault of await pythonErrors(before)) {
    const name = key(beforeLines, fault);
    known.set(name, (known.get(name) ?? 0) + 1);
  }
  const afterLines = after.split("\n");
  return faults.filter((fault) => {
    const name = key(afterLines, fault);
    const left = known.get(name) ?? 0;
    known.set(name, left - 1);
    return left <= 0;
  });
}
