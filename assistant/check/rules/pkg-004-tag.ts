import { isScalar, LineCounter, parseDocument, stringify } from "yaml";
import { DEFAULT_DIALECT, type Dialect } from "../../../robot/dialects/dialects.ts";
import { titleOf } from "../fix/app-names.ts";
import { type Finding, quote, type Rule } from "../requirement.ts";

const file = "README.md";
/** The YAML head of a README, and what is between its lines of hyphens. */
const HEAD = /^\uFEFF?---\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/;
const adviceIn = (name: string) => `begin README.md with the lines "---", "tags:", "  - ${name}" and "---"`;
const titleIn = ({ tag }: Dialect) => `README.md has a YAML head whose tags are a list with ${tag}`;

/** The hub lists spaces by tag and reads the tags from the YAML head of the README. */
export const tag: Rule = {
  id: "PKG-004",
  level: "MUST",
  section: "2.1",
  title: titleIn(DEFAULT_DIALECT),
  titleIn,
  mutants: [
    "PKG-004-no-readme",
    "PKG-004-no-head",
    "PKG-004-does-not-parse",
    "PKG-004-tags-as-text",
    "PKG-004-other-tag",
  ],
  explanation:
    "The hub lists spaces by their tags, and dashboards show the apps with this one. The hub reads the tags from the " +
    "YAML head of README.md: the lines between two lines of three hyphens, at the very beginning of the file.",
  example: { file, wrong: "tags: robot_python_app", right: "tags:\n  - robot_python_app" },
  fixes: "adds README.md, its head, or the tag",
  fix: ({ files, name = "my_app", dialect }) => {
    const text = files.get(file);
    if (text === null) return [];
    const [whole = "", head] = HEAD.exec(text ?? "") ?? [];
    if (head !== undefined)
      return tagged(head, dialect.tag).map((next) => ({ file, text: withHead(text ?? "", whole, next) }));
    const title = titleOf(name);
    const body = text === undefined ? `# ${title}\n\nAn app for a desktop robot.\n` : text.replace(/^\uFEFF/, "");
    const facts = { title, sdk: "static", tags: [dialect.tag] };
    return [{ file, text: `---\n${stringify(facts)}---\n\n${body}` }];
  },
  check: ({ files, dialect }) => {
    const text = files.get(file);
    if (text == null)
      return [{ message: `README.md is missing or not UTF-8 text: ${adviceIn(dialect.tag)}.`, file, line: null }];
    const [, head] = HEAD.exec(text) ?? [];
    return head === undefined
      ? [{ message: `README.md has no YAML head: ${adviceIn(dialect.tag)}.`, file, line: 1 }]
      : findingsIn(head, dialect.tag);
  },
};

function findingsIn(head: string, wanted: string): Finding[] {
  const lines = new LineCounter();
  const document = parseDocument(head, { lineCounter: lines, prettyErrors: false });
  // The head begins on the second line of the file.
  const at = (message: string, offset: number): Finding[] => [{ message, file, line: lines.linePos(offset).line + 1 }];
  const [error] = document.errors;
  if (error !== undefined) return at(`The YAML head does not parse: ${error.message}.`, error.pos[0]);
  const tags: unknown = document.toJS()?.tags;
  if (Array.isArray(tags) && tags.includes(wanted)) return [];
  const node = document.get("tags", true);
  const offset = isScalar(node) ? (node.range?.[0] ?? 0) : Math.max(0, head.search(/^tags\s*:/m));
  return at(`tags is ${quote(tags)}; it must be a list, with "- ${wanted}" on a line of its own.`, offset);
}

/** The head with the tag in its list of tags, comments and order kept; none when it does not parse. */
function tagged(head: string, wanted: string): string[] {
  const document = parseDocument(head.replaceAll("\r\n", "\n"));
  if (document.errors.length > 0) return [];
  const tags: unknown = document.toJS()?.tags;
  const given = Array.isArray(tags) ? tags : typeof tags === "string" ? [tags] : [];
  const letters = (each: unknown) => String(each).replace(/[-_\s]/g, "");
  document.set("tags", [...given.filter((each) => letters(each) !== letters(wanted)), wanted]);
  return [document.toString()];
}

/** The text with another head, in the text's own line ends. */
function withHead(text: string, whole: string, head: string): string {
  const end = whole.includes("\r\n") ? "\r\n" : "\n";
  return `---\n${head}---\n`.replaceAll("\n", end) + text.slice(whole.length);
}
