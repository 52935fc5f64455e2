import { useEffect } from "preact/hooks";
import { IconButton } from "../../ui/components/buttons.tsx";
import { usePage } from "./context.ts";

const TONES = { info: "neutral", warning: "warn", error: "bad" };

/** Messages in the corner, which Escape dismisses; errors interrupt a screen reader, others do not. */
export function ToastList() {
  const { toasts, dialogOpen } = usePage().dashboard;
  useEffect(() => {
    const listening = new AbortController();
    const dismissNewest = ({ key, defaultPrevented }: KeyboardEvent) => {
      const newest = toasts.list.peek().at(-1);
      // Escape closes the dialog first.
      if (key === "Escape" && !defaultPrevented && !dialogOpen.peek() && newest !== undefined)
        toasts.dismiss(newest.id);
    };
    document.addEventListener("keydown", dismissNewest, { signal: listening.signal });
    document.addEventListener("visibilitychange", toasts.dismissOld, { signal: listening.signal });
    return () => listening.abort();
  }, [toasts, dialogOpen]);
  return (
    <div class="toasts" aria-live="polite">
      {toasts.list.value.map(({ id, level, text, count }) => (
        <div key={id} class={`toast tone-${TONES[level]}`} role={level === "error" ? "alert" : "status"}>
          <p>
            {text}
            {count > 1 && <span class="count">×{count}</span>}
          </p>
          <IconButton icon="close" label="Dismiss" onClick={() => toasts.dismiss(id)} title={undefined} />
        </div>
      ))}
    </div>
  );
}
