import { posix } from "node:path";
import type { Judgement, Verdict } from "../verdict/verdict.ts";

/** The maximum number of annotations of a kind that GitHub shows for one step. */
const MOST = 10;

/**
 * A verdict as GitHub's workflow commands: at most ten errors and ten warnings, the last of each says how many more
 * there are (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
 * @param folder the app's folder, as the repository has it
 */
export function annotationsOf({ results }: Pick<Verdict, "results">, folder: string): string[] {
  const of = (kind: "error" | "warning", statuses: readonly Judgement["status"][]): string[] => {
    const all = results
      .filter(({ status }) => statuses.includes(status))
      .flatMap((each) => linesOf(kind, each, folder));
    if (all.length <= MOST) return all;
    const more = `::${kind} title=certify::and ${all.length - MOST + 1} more; the verdict has them all`;
    return [...all.slice(0, MOST - 1), more];
  };
  return [...of("error", ["fail", "error", "flaky", "inconclusive"]), ...of("warning", ["warn"])];
}

function linesOf(kind: string, { id, title, findings, reason }: Judgement, folder: string): string[] {
  const name = property(`${id} ${title}`);
  if (findings.length === 0) return [`::${kind} title=${name}::${data(reason ?? title)}`];
  return findings.map(({ file, line, message }) => {
    const path = property(posix.join(folder, file));
    return `::${kind} file=${path},line=${line ?? 1},title=${name}::${data(message)}`;
  });
}

const data = (text: string): string => text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
const property = (text: string): string => data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
