import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { IconButton } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { formatTimeOfDay, stripColours } from "../../ui/format/format.ts";
import { usePage } from "../shell/context.ts";
import type { NumberedLine } from "./log-model.ts";
import "./log.css";

/** Pixels from the end that count as scrolled to the end. */
const END_TOLERANCE = 24;

/** The output of the apps. Scrolling up pauses it; scrolling to the end follows it again. */
export function LogPanel() {
  const { dashboard } = usePage();
  const { logs } = dashboard;
  const list = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  useSignalEffect(() => {
    logs.visible.value;
    if (logs.paused.value) return;
    requestAnimationFrame(() => list.current?.scrollTo({ top: list.current.scrollHeight }));
  });
  const onScroll = () => {
    const box = list.current;
    if (box === null) return;
    const upwards = box.scrollTop < top.current;
    top.current = box.scrollTop;
    if (box.scrollHeight - box.scrollTop - box.clientHeight <= END_TOLERANCE) logs.follow();
    else if (upwards) logs.pause();
  };
  const visible = logs.visible.value;
  const copy = () =>
    dashboard.copy(visible.map(({ text }) => stripColours(text)).join("\n"), `Copied ${visible.length} lines.`);
  return (
    <section class="card panel" aria-label="Log">
      <div class="panel-head">
        <h3 class="card-title">Log</h3>
        <input
          type="search"
          class="field filter"
          aria-label="Filter the lines"
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
          {logs.paused.value ? `Follow${logs.unread.value > 0 ? ` (${logs.unread.value})` : ""}` : "Pause"}
        </button>
        <IconButton icon="copy" label="Copy the visible lines" title="Copy" onClick={copy} />
        <IconButton icon="clear" label="Clear the log" title="Clear" onClick={() => logs.clear()} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <div ref={list} class="log" role="log" aria-live="off" aria-label="Log lines" tabIndex={0} onScroll={onScroll}>
        {visible.length === 0 ? (
          <p class="muted log-empty">
            {logs.filter.value || logs.errorsOnly.value
              ? "No line matches the filter."
              : "The output of a running app appears here."}
          </p>
        ) : (
          visible.map((line) => <Line key={line.id} line={line} />)
        )}
      </div>
    </section>
  );
}

function Line({ line }: { line: NumberedLine }) {
  return (
    <div class={`line line-${line.from}`}>
      <time>{formatTimeOfDay(line.time)}</time>
      <b>{line.app}</b>
      <span>{stripColours(line.text)}</span>
    </div>
  );
}
