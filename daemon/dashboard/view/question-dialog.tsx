import { useEffect, useRef } from "preact/hooks";
import { usePage } from "./context.ts";

/** Asks before something that cannot be taken back; Escape and the first button leave everything as it is. */
export function QuestionDialog() {
  const { dashboard } = usePage();
  const box = useRef<HTMLDialogElement>(null);
  const question = dashboard.question.value;
  useEffect(() => {
    if (question) box.current?.showModal();
    else box.current?.close();
  }, [question]);
  const close = () => {
    dashboard.question.value = null;
  };
  return (
    <dialog ref={box} class="question" aria-labelledby="question" onClose={close}>
      <h2 id="question">{question?.text}</h2>
      {question?.detail && <p class="muted">{question.detail}</p>}
      <div class="row">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          class="button button-primary"
          onClick={() => {
            close();
            void question?.run();
          }}
        >
          {question?.action}
        </button>
      </div>
    </dialog>
  );
}
