import type { Format } from "./format.ts";
import { placeOf } from "./place.ts";

/**
 * Workflow commands of GitHub Actions, which show each finding at its line
 * (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands). Requirements that could not be
 * judged are notices.
 */
export const formatGithub: Format = ({ verdict, results, counts }, { prefix }) => {
  const lines = results.flatMap(({ id, title, status, findings, reason }) => {
    if (status === "skip") return [command("notice", { title: `${id} skipped` }, `${title}: ${reason}`)];
    if (status === "error") return [command("error", { title: `${id} broke` }, `${title}: ${reason}`)];
    const kind = status === "fail" ? "error" : "warning";
    return findings.map(({ message, file, line }) =>
      command(kind, { file: placeOf(prefix, file), line: line ?? 1, title: `${id} ${title}` }, message),
    );
  });
  return [
    ...KINDS.flatMap((kind) => atMost(MOST, kind, lines)),
    `${verdict}: ${counts.pass} passed, ${counts.fail} failed, ${counts.warn} warnings`,
    "",
  ].join("\n");
};

const KINDS = ["error", "warning", "notice"] as const;
/** The annotations of a kind that GitHub shows for one step. */
const MOST = 10;

/** The commands of a kind; of more than GitHub shows, the last one says how many there are. */
function atMost(most: number, kind: (typeof KINDS)[number], lines: readonly string[]): string[] {
  const all = lines.filter((line) => line.startsWith(`::${kind} `));
  if (all.length <= most) return all;
  const more = `and ${all.length - most + 1} more: robot-app-assistant check shows all`;
  return [...all.slice(0, most - 1), command(kind, { title: "check" }, more)];
}

/** One workflow command. */
export function command(
  kind: (typeof KINDS)[number],
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${kind} ${given.join(",")}::${data(message)}`;
}

const data = (text: string): string => text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
const property = (text: string): string => data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
