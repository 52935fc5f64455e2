import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";

/** A fenced code block of a page. */
export interface Fence {
  /** The word after the three backticks; empty when there is none. */
  readonly language: string;
  readonly text: string;
  /** Line of its first line of text in the page, from 1. */
  readonly line: number;
}

/** A link of a page; `target` is as written. */
interface Link {
  readonly target: string;
  readonly line: number;
}

const ROOT_PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "lab/README.md"];

/** All pages of the documentation, as paths from the package's folder. */
export const PAGES: readonly string[] = [
  ...ROOT_PAGES,
  ...readdirSync(path.join(PACKAGE_FOLDER, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

export const pageText = (page: string): string => readFileSync(path.join(PACKAGE_FOLDER, page), "utf8");

/** The fenced blocks of a Markdown text. @throws Error for a block that is not closed */
export function fencesOf(text: string): Fence[] {
  const fences: Fence[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const [, marker] = /^\s*```(.*)$/.exec(line) ?? [];
    if (marker === undefined) open?.lines.push(line);
    else if (open === undefined) open = { language: marker.trim(), line: index + 2, lines: [] };
    else {
      fences.push({ language: open.language, line: open.line, text: open.lines.join("\n") });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`the block that begins at line ${open.line - 1} is not closed`);
  return fences;
}

/** The text with an empty line in place of each line of a fenced block, so that line numbers stay. */
function withoutFences(text: string): string {
  let inside = false;
  const keep = (line: string): string => {
    const isMarker = /^\s*```/.test(line);
    const shown = inside || isMarker ? "" : line;
    if (isMarker) inside = !inside;
    return shown;
  };
  return text.split("\n").map(keep).join("\n");
}

/** The links and pictures of a page, without those in code. */
export function linksOf(text: string): Link[] {
  return withoutFences(text)
    .split("\n")
    .flatMap((line, index) =>
      [...line.replace(/`[^`]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({
        target,
        line: index + 1,
      })),
    );
}

/** What is wrong with a link of a page; undefined when its file and its heading exist. Addresses of the web count as right. */
export function linkProblem(page: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [file = "", anchor] = target.split("#");
  const linked = file === "" ? page : path.normalize(path.join(path.dirname(page), file));
  if (!existsSync(path.join(PACKAGE_FOLDER, linked))) return `${linked} does not exist`;
  if (anchor === undefined || anchorsOf(pageText(linked)).includes(anchor)) return undefined;
  return `${linked} has no heading #${anchor}`;
}

/** The anchors of a page's headings, as GitHub makes them: lower case, words joined by hyphens, punctuation left out. */
function anchorsOf(text: string): string[] {
  return [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
}
