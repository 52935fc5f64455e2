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
  return [...lines, `${verdict}: ${counts.pass} passed, ${counts.fail} failed, ${counts.warn} warnings`, ""].join("\n");
};

/** One workflow command. */
export function command(
  kind: "error" | "warning" | "notice",
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${kind} ${given.join(",")}::${data(message)}`;
}

const data = (text: string): string => text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
const property = (text: string): string => data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
