import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "../../ui/components/buttons.tsx";
import { usePage } from "./context.ts";
import { ToastList } from "./toast-list.tsx";

interface Props {
  title: string;
  class?: string;
  /** Called when it is closed, also by Escape. */
  close(): void;
  /** Beside the title. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}

/** A dialog that is open as long as it is there; the focus returns to where it was. */
export function Dialog({ title, close, tools, children, ...props }: Props) {
  const { dashboard } = usePage();
  const box = useRef<HTMLDialogElement>(null);
  const isOpen = useRef(true);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => {
      isOpen.current = false;
      dialog?.close();
    };
  }, []);
  // The event `close` comes with the next frame: a dialog that was opened again by then must stay.
  const end = () => {
    if (isOpen.current) close();
    isOpen.current = false;
  };
  const cancel = (event: Event) => {
    event.preventDefault();
    end();
  };
  return (
    <dialog ref={box} class={`dialog ${props.class ?? ""}`} aria-labelledby={id} onCancel={cancel} onClose={end}>
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        {tools}
        <IconButton icon="close" label="Close" onClick={end} />
      </div>
      {children}
      {dashboard.confirmation.value === null && <ToastList />}
    </dialog>
  );
}
