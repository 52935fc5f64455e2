import path from "node:path";

/** Folders that no build needs, wherever they are: histories, environments and caches of Python's tools. */
const IGNORED_ANYWHERE = new Set([
  ...[".git", ".hg", ".venv", ".tox", ".nox", "node_modules"],
  ...["__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"],
]);
/** The folder in which publish puts the verdict of the rest. */
export const VERDICT_FOLDER = "robot-app-verdict";
/** Folders that builds leave at the top of a project, and the verdict. */
const IGNORED_AT_TOP = new Set(["build", "dist", "venv", VERDICT_FOLDER]);

/** True for a file or folder that belongs to the project itself. @param relative path within the project's folder */
export function isProjectFile(relative: string): boolean {
  return (
    !IGNORED_ANYWHERE.has(path.basename(relative)) && !IGNORED_AT_TOP.has(relative) && !relative.endsWith(".egg-info")
  );
}
