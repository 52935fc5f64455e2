import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { clock, plain } from "../format.ts";
import type { ShownLine } from "../model/logs.ts";
import { usePage } from "./context.ts";
import { Icon } from "./icons.tsx";

/** Pixels from the end that still count as reading the end. */
const NEAR_END = 24;

/** What the apps print, as it comes. Scrolling up holds it still; scrolling to the end follows again. */
export function LogPanel() {
  const { logs } = usePage().dashboard;
  const list = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  useSignalEffect(() => {
    logs.shown.value;
    if (logs.paused.value) return;
    requestAnimationFrame(() => list.current?.scrollTo({ top: list.current.scrollHeight }));
  });
  const scrolled = () => {
    const at = list.current;
    if (at === null) return;
    const upwards = at.scrollTop < top.current;
    top.current = at.scrollTop;
    if (at.scrollHeight - at.scrollTop - at.clientHeight <= NEAR_END) logs.follow();
    else if (upwards) logs.pause();
  };
  const shown = logs.shown.value;
  const copy = () => navigator.clipboard?.writeText(shown.map(({ text }) => plain(text)).join("\n"));
  return (
    <section class="card panel" aria-label="Log">
      <div class="panel-head">
        <h3 class="card-title">Log</h3>
        <input
          type="search"
          class="filter"
          aria-label="Show only lines with"
          placeholder="Filter"
          value={logs.filter.value}
          onInput={({ currentTarget }) => {
            logs.filter.value = currentTarget.value;
          }}
        />
        <button
          type="button"
          class="toggle"
          aria-pressed={logs.errorsOnly.value}
          onClick={() => {
            logs.errorsOnly.value = !logs.errorsOnly.value;
          }}
        >
          Errors
        </button>
        <button
          type="button"
          class="toggle"
          aria-pressed={!logs.paused.value}
          onClick={() => (logs.paused.value ? logs.follow() : logs.pause())}
        >
          <Icon name={logs.paused.value ? "down" : "pause"} />
          {logs.paused.value ? `Follow${logs.waiting.value > 0 ? ` (${logs.waiting.value})` : ""}` : "Pause"}
        </button>
        <button type="button" class="icon-button" aria-label="Copy the shown lines" title="Copy" onClick={copy}>
          <Icon name="copy" />
        </button>
        <button type="button" class="icon-button" aria-label="Clear the log" title="Clear" onClick={() => logs.clear()}>
          <Icon name="clear" />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <div ref={list} class="log" role="log" aria-live="off" aria-label="Log lines" tabIndex={0} onScroll={scrolled}>
        {shown.length === 0 ? (
          <p class="muted log-empty">
            {logs.filter.value || logs.errorsOnly.value
              ? "No line fits the filter."
              : "What a running app prints appears here."}
          </p>
        ) : (
          shown.map((line) => <Line key={line.id} line={line} />)
        )}
      </div>
    </section>
  );
}

function Line({ line }: { line: ShownLine }) {
  return (
    <div class={`line line-${line.from}`}>
      <time>{clock(line.time)}</time>
      <b>{line.app}</b>
      <span>{plain(line.text)}</span>
    </div>
  );
}
