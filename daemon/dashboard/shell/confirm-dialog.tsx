import { useEffect, useRef } from "preact/hooks";
import { usePage } from "./context.ts";

/** Asks for confirmation of what cannot be undone; Escape and the first button change nothing. */
export function ConfirmDialog() {
  const { dashboard } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const confirmation = dashboard.confirmation.value;
  useEffect(() => {
    if (confirmation) dialog.current?.showModal();
    else dialog.current?.close();
  }, [confirmation]);
  const close = () => {
    dashboard.confirmation.value = null;
  };
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby="confirm-text" onClose={close}>
      <h2 id="confirm-text">{confirmation?.text}</h2>
      {confirmation?.detail && <p class="muted">{confirmation.detail}</p>}
      <div class="row">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          class="button button-primary"
          onClick={() => {
            close();
            void confirmation?.run();
          }}
        >
          {confirmation?.action}
        </button>
      </div>
    </dialog>
  );
}
