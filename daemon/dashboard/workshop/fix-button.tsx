import type { EditSession } from "./edit-session.ts";
import type { Fix } from "./model-asks.ts";

interface FixProps {
  session: EditSession;
  what: Fix;
  file: string;
  /** Its name for screen readers. */
  label: string;
}

/** Has the model fix it. What comes back is tried, and shown only when it helps. */
export function FixButton({ session, what, file, label }: FixProps) {
  const { progress, isUndecided } = session.asks;
  return (
    <button
      type="button"
      class="button button-small fix"
      title="The model edits the file; its edit is tried, and shown when this is gone"
      aria-label={label}
      aria-disabled={progress.value !== null || isUndecided.value}
      onClick={() => session.asks.fix(what, file)}
    >
      Fix this
    </button>
  );
}
