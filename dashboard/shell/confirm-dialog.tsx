import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../ui/components/buttons.tsx";
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
        <Button onClick={close}>Cancel</Button>
        <Button
          kind="primary"
          onClick={() => {
            close();
            void confirmation?.run();
          }}
        >
          {confirmation?.action}
        </Button>
      </div>
    </dialog>
  );
}
