import { Button } from "../../ui/components/buttons.tsx";
import type { EditSession } from "./edit-session.ts";

/** Files that another editor has changed as well, and what became of edits whose write was interrupted. */
export function ConflictBanner({ session }: { session: EditSession }) {
  const conflicts = session.files.conflicts.value;
  const interrupted = session.interrupted.value;
  if (conflicts.length === 0 && interrupted.length === 0) return null;
  return (
    <div class="conflicts">
      {interrupted.map((text) => (
        <div key={text} class="conflict" role="alert">
          <span>{text}</span>
          <Button small onClick={() => session.dismissInterrupted(text)}>
            Dismiss
          </Button>
        </div>
      ))}
      {conflicts.map(({ name }) => (
        <div key={name} class="conflict" role="alert">
          <span>
            <b>{name}</b> has changed in the folder, too.
          </span>
          <Button small onClick={() => session.resolve(name, "folder")}>
            Take the folder's text
          </Button>
          <Button small onClick={() => session.resolve(name, "mine")}>
            Stay with mine
          </Button>
        </div>
      ))}
    </div>
  );
}
