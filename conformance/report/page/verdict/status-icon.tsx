import type { Outcome } from "../../../verdict/verdict.ts";
import { OUTCOME_NAMES } from "./grades.ts";

const SHAPES: Readonly<Record<Outcome, string>> = {
  pass: "M7 12.5l3.4 3.4L17 9",
  fail: "M8 8l8 8M16 8l-8 8",
  warn: "M12 7v6.2M12 16.6v.1",
  flaky: "M7 13.5c1.7-4 3.3-4 5 0s3.3 4 5 0",
  "not-applicable": "M7.5 12h9",
  inconclusive: "M9.4 9.4a2.7 2.7 0 1 1 3.7 2.5c-.8.4-1.1.9-1.1 1.9M12 16.8v.1",
  error: "M12 6.8v5.4M9.2 16.4l5.6-5.6M14.8 16.4 9.2 10.8",
};

/** The status of a requirement by shape and colour, with its name for screen readers. */
export function StatusIcon({ status }: { status: Outcome }) {
  return (
    <svg class={`status-icon status-${status}`} viewBox="0 0 24 24" role="img" aria-label={OUTCOME_NAMES[status]}>
      <circle cx="12" cy="12" r="11" />
      <path d={SHAPES[status]} />
    </svg>
  );
}
