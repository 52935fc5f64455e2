import { type ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";

const DISK_FULL = "The disk is full; make room and try again.";

/** What pip, uv and the builds that they run print, the most telling first, and what it means. */
const MEANINGS: readonly [RegExp, ErrorCode, string][] = [
  [/No space left on device|Disk quota exceeded|os error 28|Errno 28/, "disk-full", DISK_FULL],
  [
    /NewConnectionError|NameResolutionError|ConnectTimeoutError|ProxyError|dns error|error sending request|tcp connect/,
    "index-unreachable",
    "The package index does not answer; check the network and try again.",
  ],
  [
    /ResolutionImpossible|No matching distribution found|No solution found when resolving/,
    "dependency-conflict",
    "What the app needs cannot be had together with what is installed.",
  ],
];

const LAST_LINES = 5;

/** The error of a tool that failed, from what it printed. @param how the tool and how it ended */
export function toolFailure(lines: readonly string[], how: string): WorkbenchError {
  const reason = `${reasonIn(lines)} (${how})`;
  const text = lines.join("\n");
  const [, code, meaning] = MEANINGS.find(([pattern]) => pattern.test(text)) ?? [];
  return new WorkbenchError(code ?? "install-failed", meaning === undefined ? reason : `${meaning} ${reason}`);
}

/** Any failure of a job as an error with a code, where it has one: a full disk shows in whatever writes next. */
export function jobFailure(error: unknown): unknown {
  const full = ["ENOSPC", "EDQUOT"].includes(String((error as NodeJS.ErrnoException)?.code));
  return full ? new WorkbenchError("disk-full", DISK_FULL, { cause: error }) : error;
}

/** What pip, uv or the build gave as the reason, or else the last lines. */
function reasonIn(lines: readonly string[]): string {
  const named = lines.filter((line) =>
    /^\s*(ERROR:|error:|×|╰─▶|[\w.]+(Error|Exception):|.*\bdepends on\b|The user requested|cause:)\s?/.test(line),
  );
  const telling = named.length > 0 ? named : lines.slice(-LAST_LINES);
  return telling.map((line) => line.trim()).join(" ");
}
