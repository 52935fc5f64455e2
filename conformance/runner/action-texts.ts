import type { EndCause } from "../evidence/app-run.ts";

/** What the harness does, for the record of the test run. */
export const ACTION_TEXTS: Readonly<Record<EndCause, string>> = {
  stop: "stop",
  "stop-event": "set the stop event without a signal",
  "stop-method": "call stop()",
  "second-sigint": "stop, with a second SIGINT to follow,",
  error: "raise an error in run()",
  kill: "SIGKILL",
  "daemon-lost": "disconnect the daemon",
  "port-taken": "take the port of its page",
  "by-itself": "wait",
};
