import path from "node:path";

/** What a build does not need, and what it leaves in its folder. */
const NOWHERE = new Set([".git", ".hg", ".venv", "node_modules", "__pycache__"]);
const NOT_AT_THE_TOP = new Set(["build", "dist", "venv"]);

/** True for what belongs to a project itself. @param relative to the project's folder */
export function isSource(relative: string): boolean {
  return !NOWHERE.has(path.basename(relative)) && !NOT_AT_THE_TOP.has(relative) && !relative.endsWith(".egg-info");
}
