import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import type { Workspace } from "@astral-sh/ruff-wasm-nodejs";
import type { PythonVersion } from "./project/python-version.ts";

const PACKAGE = "@astral-sh/ruff-wasm-nodejs";
const require = createRequire(import.meta.url);

/** Rules of the linter that are syntax errors in Python itself, beyond those of its parser. */
const SYNTAX_RULES = ["F404", "F407", "F701", "F702", "F704", "F706", "F707", "PLE0117", "PLE0118", "PLE1142"];

const workspaces = new Map<PythonVersion, Workspace>();

/** Ruff as WebAssembly (10 MB): loaded on the first use and kept. @param python the version whose syntax it accepts */
export function ruff(python: PythonVersion): Workspace {
  const known = workspaces.get(python) ?? load(python);
  workspaces.set(python, known);
  return known;
}

/** Drops the instances after one threw, with its memory: WebAssembly that trapped must not run on. */
export function discardRuff(): void {
  workspaces.clear();
  delete require.cache[require.resolve(PACKAGE)];
}

function load(python: PythonVersion): Workspace {
  // V8's optimizing compiler would spend seconds on a module that runs for milliseconds.
  setFlagsFromString("--liftoff-only");
  try {
    const { Workspace: Ruff } = require(PACKAGE);
    return new Ruff({ "target-version": `py${python.replace(".", "")}`, lint: { select: SYNTAX_RULES } }, 1);
  } finally {
    setFlagsFromString("--no-liftoff-only");
  }
}
