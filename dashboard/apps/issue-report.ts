import type { LogLine } from "../../robot/wire/apps/app-events.ts";
import { stripColours } from "../../ui/format/format.ts";

interface Issue {
  app: string;
  /** Null where it is not known. */
  version: string | null;
  daemonVersion: string | null;
  /** How the run ended: `exited with code 1`. */
  result: string | null;
  /** Why: the exception, or what the daemon says. */
  cause: string | null;
  /** The last lines of the run. */
  lines: readonly Pick<LogLine, "from" | "text">[];
}

/** A run of an app as Markdown, for an issue of its author. */
export function issueReport({ app, version, daemonVersion, result, cause, lines }: Issue): string {
  // A fence is longer than the ones that the app printed.
  const text = lines.map((line) => `${line.from === "daemon" ? "[daemon] " : ""}${stripColours(line.text)}`).join("\n");
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((fence) => fence.length));
  const fence = "`".repeat(longest + 1);
  return [
    `**${app}${version === null ? "" : ` ${version}`}**${result === null ? "" : `: ${result}`}`,
    ...(cause === null ? [] : ["", stripColours(cause)]),
    "",
    fence,
    text,
    fence,
    "",
    `robot-daemon ${daemonVersion ?? "of an unknown version"}`,
    "",
  ].join("\n");
}
