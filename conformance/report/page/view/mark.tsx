import { STATUS_NAMES, type Status } from "../model/grades.ts";

const SHAPES: Readonly<Record<Status, string>> = {
  pass: "M7 12.5l3.4 3.4L17 9",
  fail: "M8 8l8 8M16 8l-8 8",
  warn: "M12 7v6.2M12 16.6v.1",
  skip: "M7.5 12h9",
  error: "M9.4 9.4a2.7 2.7 0 1 1 3.7 2.5c-.8.4-1.1.9-1.1 1.9M12 16.8v.1",
};

/** What came of a requirement, by shape and colour and, for those who see neither, by word. */
export function Mark({ status }: { status: Status }) {
  return (
    <svg class={`mark mark-${status}`} viewBox="0 0 24 24" role="img" aria-label={STATUS_NAMES[status]}>
      <circle cx="12" cy="12" r="11" />
      <path d={SHAPES[status]} />
    </svg>
  );
}
