import { Button } from "../../../ui/components/buttons.tsx";
import type { EditSession } from "./edit-session.ts";
import type { Fix } from "./model-asks.ts";

interface FixProps {
  session: EditSession;
  /** What the model is to fix. */
  what: Fix;
  file: string;
  /** Its name for screen readers. */
  label: string;
}

/** Asks the model to fix a finding or a failure. Its edit is tried, and shown only when what it fixes is gone. */
export function FixButton({ session, what, file, label }: FixProps) {
  const { progress, isUndecided } = session.asks;
  return (
    <Button
      small
      class="fix"
      title="The model edits the file; its edit is tried, and shown when this is gone"
      aria-label={label}
      aria-disabled={progress.value !== null || isUndecided.value}
      onClick={() => session.asks.fix(what, file)}
    >
      Fix this
    </Button>
  );
}
