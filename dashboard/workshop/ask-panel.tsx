import { useSignal } from "@preact/signals";
import { Button } from "../../ui/components/buttons.tsx";
import { usePage } from "../shell/context.ts";
import type { EditSession } from "./edit-session.ts";

/** An instruction for the code model, or none, and what it answers besides its edit. */
export function AskPanel({ session }: { session: EditSession }) {
  const { dashboard } = usePage();
  const instruction = useSignal("");
  const { progress, note, isUndecided, stop } = session.asks;
  const isAsking = progress.value !== null;
  const canAsk = dashboard.connected.value && session.loaded.value;
  const ask = (event: Event) => {
    event.preventDefault();
    if (canAsk && !isAsking) void session.ask(instruction.peek().trim());
  };
  return (
    <form class="ask" onSubmit={ask}>
      <input
        class="field ask-field"
        aria-label={`What to change in ${session.current.value}`}
        placeholder="What to change; empty goes on with your last edits"
        value={instruction.value}
        onInput={({ currentTarget }) => {
          instruction.value = currentTarget.value;
        }}
      />
      {/* No submit button: the one that stops would turn into it within the click, and ask again. */}
      <Button
        title={isUndecided.value ? "Keep or leave the changes first" : undefined}
        disabled={!isAsking && !canAsk}
        aria-disabled={isUndecided.value}
        onClick={isAsking ? stop : ask}
      >
        {isAsking ? "Stop" : "Ask"}
      </Button>
      {isUndecided.value && (
        <div class="ask-decide">
          <span class="muted">Keep or leave each change of the model, or all:</span>
          <Button title="Keep every change that is not decided" onClick={() => session.asks.accept()}>
            Accept all
          </Button>
          <Button title="Take every change back that is not decided" onClick={() => session.asks.leave()}>
            Leave all
          </Button>
        </div>
      )}
      <p class={`ask-note ${note.value?.level === "error" ? "ask-error" : "muted"}`} role="status">
        {progress.value ?? note.value?.text}
      </p>
    </form>
  );
}
