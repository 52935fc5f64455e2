import { Button, IconButton } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { usePage } from "../shell/context.ts";
import type { EditSession } from "./edit-session.ts";

/** Try, Keep and Undo. They stay enabled while something is under way, because a disabled button loses the focus. */
export function ActionBar({ session, compare }: { session: EditSession; compare(): void }) {
  const { dashboard } = usePage();
  const { pending, files, canUndo, tried, undoable } = session;
  const connected = dashboard.connected.value;
  const recorded = session.recordings.count.value;
  const isBusy = pending.value !== null;
  const undoes =
    files.isChanged.value || tried.value
      ? "Take back what is not kept, and what was tried"
      : `Undo the last edit${undoable.value?.instruction ? `: ${undoable.value.instruction}` : ""}`;
  return (
    <div class="workshop-actions" role="toolbar" aria-label="Try, keep and undo">
      <Button
        kind="primary"
        title="Run the app with the changes; nothing is written (Ctrl-Enter)"
        disabled={!connected}
        aria-disabled={isBusy}
        onClick={session.try}
      >
        <Icon name="play" /> {pending.value === "try" ? "Starting…" : "Try"}
      </Button>
      <Button
        title="Write the changes to the app's folder (Ctrl-S)"
        disabled={!connected || !files.isChanged.value}
        aria-disabled={isBusy}
        onClick={session.keep}
      >
        <Icon name="check" /> {pending.value === "keep" ? "Keeping…" : "Keep"}
      </Button>
      <Button title={undoes} disabled={!connected || !canUndo.value} aria-disabled={isBusy} onClick={session.undo}>
        <Icon name="undo" /> {pending.value === "undo" ? "Undoing…" : "Undo"}
      </Button>
      <Button
        title={`Show the motions of two tries over each other; recorded: ${recorded}`}
        disabled={recorded < 2}
        onClick={compare}
      >
        <Icon name="ghost" /> Compare
      </Button>
      <RunState session={session} />
    </div>
  );
}

/** What runs, and whether it is what the editor shows. */
function RunState({ session }: { session: EditSession }) {
  const { slot } = usePage().dashboard;
  const status = slot.status.value;
  const changed = session.files.changed.value.length;
  const kept = changed === 0 ? "All kept" : `${changed} changed ${changed === 1 ? "file" : "files"}`;
  const runs = !slot.busy.value
    ? ""
    : status?.trial
      ? `A try of ${status.info.name} runs`
      : `${status?.info.name} runs`;
  return (
    <p class="workshop-state muted" role="status">
      {[kept, runs].filter((part) => part !== "").join(" · ")}
      {slot.busy.value && <StopButton />}
    </p>
  );
}

function StopButton() {
  const { dashboard } = usePage();
  return <IconButton icon="stop" label="Stop the app" onClick={dashboard.stop} />;
}
