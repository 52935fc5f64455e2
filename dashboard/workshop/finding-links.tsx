import { useComputed } from "@preact/signals";
import { Button } from "../../ui/components/buttons.tsx";
import type { EditSession } from "./edit-session.ts";
import type { Fix } from "./model-asks.ts";

interface PlaceProps {
  session: EditSession;
  file: string;
  /** From 1; null for the whole file. */
  line: number | null;
  goTo(file: string, line: number): void;
}

/** Where something was found; leads there when the file is one of the app's texts. */
export function FindingPlace({ session, file, line, goTo }: PlaceProps) {
  const place = line === null ? file : `${file}:${line}`;
  // Computed, so that a key in the editor renders no finding anew.
  const isText = useComputed(() => session.files.list.value.some(({ name }) => name === file));
  if (!isText.value) return <span class="finding-file">{place}</span>;
  return (
    <button type="button" class="finding-place" onClick={() => goTo(file, line ?? 1)}>
      {place}
    </button>
  );
}

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
