import { Button } from "../../ui/components/buttons.tsx";
import type { EditSession } from "./edit-session.ts";

/** Files that another editor has changed as well. */
export function ConflictBanner({ session }: { session: EditSession }) {
  const conflicts = session.files.conflicts.value;
  if (conflicts.length === 0) return null;
  return (
    <div class="conflicts">
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
