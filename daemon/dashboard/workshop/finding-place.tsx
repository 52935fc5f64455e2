import { useComputed } from "@preact/signals";
import type { EditSession } from "./edit-session.ts";

interface Props {
  session: EditSession;
  file: string;
  /** From 1; null for the whole file. */
  line: number | null;
  goTo(file: string, line: number): void;
}

/** Where something was found; leads there when the file is one of the app's texts. */
export function FindingPlace({ session, file, line, goTo }: Props) {
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
