import { isScalar, LineCounter, parseDocument } from "yaml";
import { APP_TAG } from "../../../robot/wire/apps/app-package.ts";
import { type Finding, quote, type Requirement } from "../requirement.ts";

const file = "README.md";
const ADVICE = `begin README.md with the lines "---", "tags:", "  - ${APP_TAG}" and "---"`;

/** The hub lists spaces by tag and reads the tags from the YAML head of the README. */
export const tag: Requirement = {
  id: "PKG-004",
  level: "MUST",
  section: "2.1",
  title: `README.md has a YAML head whose tags are a list with ${APP_TAG}`,
  mutants: [
    "PKG-004-no-readme",
    "PKG-004-no-head",
    "PKG-004-does-not-parse",
    "PKG-004-tags-as-text",
    "PKG-004-other-tag",
  ],
  check: ({ files }) => {
    const text = files.get(file);
    if (text == null) return [{ message: `README.md is missing or not text: ${ADVICE}.`, file, line: null }];
    const [, head] = /^\uFEFF?---\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
    return head === undefined
      ? [{ message: `README.md has no YAML head: ${ADVICE}.`, file, line: 1 }]
      : findingsIn(head);
  },
};

function findingsIn(head: string): Finding[] {
  const lines = new LineCounter();
  const document = parseDocument(head, { lineCounter: lines, prettyErrors: false });
  // The head begins on the second line of the file.
  const at = (message: string, offset: number): Finding[] => [{ message, file, line: lines.linePos(offset).line + 1 }];
  const [error] = document.errors;
  if (error !== undefined) return at(`The YAML head does not parse: ${error.message}.`, error.pos[0]);
  const tags: unknown = document.toJS()?.tags;
  if (Array.isArray(tags) && tags.includes(APP_TAG)) return [];
  const node = document.get("tags", true);
  const offset = isScalar(node) ? (node.range?.[0] ?? 0) : Math.max(0, head.search(/^tags\s*:/m));
  return at(`tags is ${quote(tags)}; it must be a list, with "- ${APP_TAG}" on a line of its own.`, offset);
}
