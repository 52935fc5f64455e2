import { type Format, placeOf } from "./format.ts";

/**
 * Workflow commands of GitHub Actions, which show each finding at its line
 * (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands). Requirements that could not be
 * judged are notices.
 */
export const formatGithub: Format = ({ verdict, results, counts }, { prefix }) => {
  const lines = results.flatMap(({ id, title, status, findings, reason }) => {
    if (status === "skip") return [workflowCommand("notice", { title: `${id} skipped` }, `${title}: ${reason}`)];
    if (status === "error") return [workflowCommand("error", { title: `${id} broke` }, `${title}: ${reason}`)];
    const kind = status === "fail" ? "error" : "warning";
    return findings.map(({ message, file, line }) =>
      workflowCommand(kind, { file: placeOf(prefix, file), line: line ?? 1, title: `${id} ${title}` }, message),
    );
  });
  return [
    ...KINDS.flatMap((kind) =>
      limitAnnotations(kind, lines, { title: "check", hint: "robot-app-assistant check shows all" }),
    ),
    `${verdict}: ${counts.pass} passed, ${counts.fail} failed, ${counts.warn} warnings`,
    "",
  ].join("\n");
};

const KINDS = ["error", "warning", "notice"] as const;
type Kind = (typeof KINDS)[number];
/** The maximum number of annotations of a kind that GitHub shows for one step. */
const MAX_SHOWN = 10;

/**
 * The commands of a kind, the first ones when there are more than GitHub shows. The last one then says how many are left
 * out.
 * @param more title of that last one, and where all of them are
 */
export function limitAnnotations(
  kind: Kind,
  lines: readonly string[],
  more: { title: string; hint: string },
): string[] {
  const all = lines.filter((line) => line.startsWith(`::${kind} `));
  if (all.length <= MAX_SHOWN) return all;
  const shown = all.slice(0, MAX_SHOWN - 1);
  const message = `and ${all.length - shown.length} more: ${more.hint}`;
  return [...shown, workflowCommand(kind, { title: more.title }, message)];
}

export function workflowCommand(
  kind: Kind,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${kind} ${given.join(",")}::${data(message)}`;
}

const data = (text: string): string => text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
const property = (text: string): string => data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
