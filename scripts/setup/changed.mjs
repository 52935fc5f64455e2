// npm test -- changed: which tests a change can affect.
import { execFileSync } from "node:child_process";
import { SOURCE_FOLDERS } from "./source-folders.mjs";

/** For each folder the other folders whose tests use it, by import or as a program. @type {Record<string, readonly string[]>} */
const USERS = {
  robot: ["sim", "daemon", "dashboard", "edit", "assistant", "conformance", "scripts", "lab", "sdk", "features"],
  ui: ["sim", "daemon", "dashboard", "conformance"],
  sim: ["daemon", "assistant", "conformance", "scripts", "lab", "features"],
  daemon: ["assistant", "conformance", "scripts", "lab", "features"],
  dashboard: ["daemon", "conformance"],
  edit: ["assistant", "conformance", "scripts", "lab"],
  assistant: ["conformance", "scripts", "lab", "sdk", "features"],
  conformance: ["assistant", "scripts", "lab", "features"],
  features: [],
  sdk: ["daemon", "assistant", "conformance", "scripts", "lab", "features"],
  lab: ["conformance"],
  scripts: [],
  docs: ["conformance", "scripts"],
};
/** Folders with tests of Vitest. */
const VITEST_FOLDERS = [...SOURCE_FOLDERS.filter((folder) => !folder.includes("/")), "fixtures/hub", "lab", "scripts"];
const TEST = /\.test\.ts$/;
/** Files that do not change what a test does. */
const HARMLESS = /^(CHANGELOG\.md|LICENSE|\.git(ignore|attributes)|\.editorconfig|\.vscode)/;

/**
 * What to run for a change.
 * @typedef {object} Plan
 * @property {"related" | "all" | null} unit "related": the tests that import what has changed
 * @property {string[]} files parts of the names of the other test files of Vitest
 * @property {string[]} suites the other suites
 */

/**
 * @param {readonly string[]} files the files that have changed
 * @returns {Plan}
 */
export function planFor(files) {
  const relevant = files.filter((file) => !HARMLESS.test(file));
  if (relevant.length === 0) return { unit: null, files: [], suites: [] };
  const sources = relevant.filter((file) => !TEST.test(file));
  const folders = new Set(sources.flatMap(affectedBy));
  const testFiles = relevant.filter((file) => TEST.test(file));
  const inFolders = VITEST_FOLDERS.filter((folder) => folders.has(folder));
  return {
    // Tests read documents, fixtures and templates that they do not import.
    unit: sources.every((file) => /\.tsx?$/.test(file)) ? "related" : "all",
    files: [...inFolders.map((folder) => `${folder}/`), ...testFiles],
    suites: ["check", ...["sdk", "features"].filter((suite) => folders.has(suite))],
  };
}

/** The folders whose tests a file affects: all of them when it is not in a folder of its own kind. @param {string} file */
function affectedBy(file) {
  // Steps of scenarios belong to no other test.
  if (file.startsWith("conformance/steps/")) return ["features"];
  const [folder = ""] = file.split("/");
  const users = file.includes("/") ? USERS[folder] : undefined;
  if (users === undefined || file.startsWith("scripts/setup/")) return [...VITEST_FOLDERS, "sdk", "features"];
  return [folder, ...users];
}

/**
 * The files that differ from the commit where this branch left the main one, with those that are not committed.
 * @returns {{ base: string, files: string[] }}
 */
export function changedFiles() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync("git", args, { encoding: "utf8", stdio: "pipe" }).trim();
  const base = ["origin/main", "main", "HEAD"].map((name) => mergeBase(git, name)).find((found) => found !== null);
  const lines = [git("diff", "--name-only", base ?? "HEAD"), git("ls-files", "--others", "--exclude-standard")];
  return { base: base ?? "HEAD", files: lines.join("\n").split("\n").filter(Boolean) };
}

/** @param {(...args: string[]) => string} git @param {string} name */
function mergeBase(git, name) {
  try {
    return git("merge-base", "HEAD", name);
  } catch {
    return null;
  }
}
