import { type ErrorCode, WorkbenchError } from "../../../../robot/wire/errors.ts";
import { DISK_FULL } from "../../../files/system-error.ts";
import { systemNeed } from "./system-needs.ts";

/** What pip, uv and the builds that they run print for common failures, with the message for people. The first match wins. */
const KNOWN_FAILURES: readonly { pattern: RegExp; code: ErrorCode; text: string }[] = [
  {
    pattern: /No space left on device|Disk quota exceeded|os error 28|Errno 28/,
    code: "disk-full",
    text: DISK_FULL,
  },
  {
    // What uv and pip print, in this order.
    pattern: /invalid peer certificate|CERTIFICATE_VERIFY_FAILED/,
    code: "index-unreachable",
    text: "The certificate of the package index is not trusted. Behind a proxy with a certificate of its own, set SSL_CERT_FILE (uv) or PIP_CERT (pip) to a file with that certificate.",
  },
  {
    pattern: new RegExp(
      [
        // pip, and its log: a page that it could not get counts for it as one without packages.
        /Could not fetch URL \S+: (?!404 )/,
        /Max retries exceeded with url|NewConnectionError|NameResolutionError|(Connect|Read)Timeout(Error)?\b|ProxyError/,
        /ERROR: HTTP error (408|429|5\d\d) while getting|IncompleteRead|DO NOT MATCH THE HASHES/,
        // uv
        /dns error|error sending request|tcp connect|HTTP status server error|HTTP status client error \((408|429) /,
        /An index \(.*\) returned a 40[13] /,
      ]
        .map(({ source }) => source)
        .join("|"),
    ),
    code: "index-unreachable",
    text: "The package index does not answer; check the network and try again.",
  },
  {
    pattern: /ResolutionImpossible|No matching distribution found|No solution found when resolving/,
    code: "dependency-conflict",
    text: "What the app needs cannot be installed together with what is there.",
  },
];

/** An attempt that another one follows. */
const RETRY = /^(WARNING: )?Retrying \(/;
/** Lines in which pip, uv and builds name the reason of a failure. */
const REASON = /^\s*(ERROR:|error:|×|╰─▶|[\w.]+(Error|Exception):|.*\bdepends on\b|The user requested|cause:)\s?/;
/** Why a build failed. While pip writes a log, it prints nothing of that. */
const EXCEPTION = /^(?!pip\.)[\w.]+(Error|Exception):/;
/** Reasons that are kept; builds repeat the same one at the end. */
const MAX_REASONS = 20;
/** Lines that are shown as the reason when no pattern matches. */
const LAST_LINES = 5;
/** Characters of one line in an error. */
const MAX_LENGTH = 500;
/** Characters of one line that are searched: builds print what they like, and some patterns take quadratic time. */
const MAX_SEARCHED = 1000;

/** Keeps the lines of a tool's output that explain a failure, however much the tool prints. */
export class ToolOutput {
  #known: (typeof KNOWN_FAILURES)[number] | null = null;
  #systemNeed: string | null = null;
  #reasons: string[] = [];
  #exceptions: string[] = [];
  #last: string[] = [];

  push(line: string): void {
    const text = line.trim().slice(0, MAX_LENGTH);
    this.#last = [...this.#last, text].slice(-LAST_LINES);
    if (REASON.test(line.slice(0, MAX_SEARCHED))) this.#reasons = [...this.#reasons, text].slice(-MAX_REASONS);
    this.pushLogged(line);
  }

  /** A line of a detailed log: it may tell which failure it was, and is shown when it is an exception that nothing explains. */
  pushLogged(line: string): void {
    const text = line.slice(0, MAX_SEARCHED).trim();
    if (RETRY.test(text)) return;
    if (EXCEPTION.test(text)) this.#exceptions = [...this.#exceptions, text.slice(0, MAX_LENGTH)].slice(-LAST_LINES);
    const known = KNOWN_FAILURES.find(({ pattern }) => pattern.test(text));
    this.#systemNeed ??= systemNeed(text);
    if (known && (this.#known === null || rank(known) < rank(this.#known))) this.#known = known;
  }

  /** The error for a tool that failed. @param how the tool and how it ended */
  toError(how: string): WorkbenchError {
    const reasons = new Set([...this.#reasons, ...(this.#known === null ? this.#exceptions : [])]);
    const reason = `${[...(reasons.size > 0 ? reasons : this.#last)].join(" ")} (${how})`;
    const isExplained = this.#known !== null && this.#known.code !== "dependency-conflict";
    if (this.#systemNeed !== null && !isExplained)
      return new WorkbenchError("install-failed", `${this.#systemNeed}, then install the app again. ${reason}`);
    if (this.#known === null) return new WorkbenchError("install-failed", reason);
    return new WorkbenchError(this.#known.code, `${this.#known.text} ${reason}`);
  }
}

const rank = (failure: (typeof KNOWN_FAILURES)[number]): number => KNOWN_FAILURES.indexOf(failure);
