import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import type { Workspace } from "@astral-sh/ruff-wasm-nodejs";

const PACKAGE = "@astral-sh/ruff-wasm-nodejs";
const require = createRequire(import.meta.url);

/** Rules of the linter that are syntax errors in Python itself, beyond those of its parser. */
const SYNTAX_RULES = ["F404", "F407", "F701", "F702", "F704", "F706", "F707", "PLE0117", "PLE0118", "PLE1142"];

/** Apps may run on any Python; the newest grammar accepts the most. */
const TARGET = "py314";

let workspace: Workspace | undefined;

/** Ruff as WebAssembly (10 MB): loaded on the first use and kept. */
export function ruff(): Workspace {
  workspace ??= load();
  return workspace;
}

/** Drops the instance after it threw, with its memory: WebAssembly that trapped must not run on. */
export function discardRuff(): void {
  workspace = undefined;
  delete require.cache[require.resolve(PACKAGE)];
}

function load(): Workspace {
  // V8's optimizing compiler would spend seconds on a module that runs for milliseconds.
  setFlagsFromString("--liftoff-only");
  try {
    const { Workspace: Ruff } = require(PACKAGE);
    return new Ruff({ "target-version": TARGET, lint: { select: SYNTAX_RULES } }, 1);
  } finally {
    setFlagsFromString("--no-liftoff-only");
  }
}
