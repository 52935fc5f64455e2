import { useComputed, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatMoment } from "../../../../ui/format/figures.ts";
import { stripColours } from "../../../../ui/format/format.ts";
import type { Player } from "./player.ts";
import { indexAt, type LogEntry, logEntries } from "./recording.ts";
import "./log-panel.css";

/** Maximum number of entries on the page: the part of the log around the player's time. */
const PAGE_SIZE = 400;

/** Output and events, scrolled to the player's time; a click on an entry goes to its time. */
export function LogPanel({ player, requirements }: { player: Player; requirements: readonly string[] }) {
  const list = useRef<HTMLOListElement>(null);
  const entries = useComputed(() => (player.testRun.value ? logEntries(player.testRun.value) : []));
  const times = useComputed(() => entries.value.map(({ t }) => t));
  const current = useComputed(() => indexAt(times.value, player.time.value));
  const first = useComputed(() =>
    Math.max(0, Math.floor((current.value - PAGE_SIZE / 4) / (PAGE_SIZE / 2)) * (PAGE_SIZE / 2)),
  );
  useSignalEffect(() => {
    const row = current.value - first.value;
    entries.value;
    requestAnimationFrame(() => {
      const box = list.current;
      const line = box?.children[Math.max(0, row)];
      if (!box || !(line instanceof HTMLElement)) return;
      box.scrollTop = line.offsetTop + line.offsetHeight - box.clientHeight * 0.66;
    });
  });
  const visible = entries.value.slice(first.value, first.value + PAGE_SIZE);
  const later = entries.value.length - first.value - visible.length;
  return (
    <section class="run-log" aria-label="Log and events">
      {first.value > 0 && <p class="run-log-more">{first.value} earlier lines</p>}
      <ol ref={list}>
        {visible.map((entry, i) => (
          <Line
            key={first.value + i}
            entry={entry}
            order={Math.sign(first.value + i - current.value)}
            requirements={requirements}
            seek={() => player.seek(entry.t)}
          />
        ))}
        {visible.length === 0 && <li class="muted">No output and no events.</li>}
      </ol>
      {later > 0 && <p class="run-log-more">{later} later lines</p>}
    </section>
  );
}

const ORDERS: Readonly<Record<string, string>> = { "-1": "past", "0": "current", "1": "future" };

interface LineProps {
  entry: LogEntry;
  /** -1 before the player's time, 0 at it, 1 after it. */
  order: number;
  requirements: readonly string[];
  seek: () => void;
}

function Line({ entry, order, requirements, seek }: LineProps) {
  const id = entry.source === "finding" ? requirements.find((each) => entry.text.includes(each)) : undefined;
  const kind = "state" in entry && entry.state !== null ? `${entry.source} line-${entry.state}` : entry.source;
  return (
    <li class={`line line-${kind} line-${ORDERS[order]}`} aria-current={order === 0 ? "time" : undefined}>
      <button type="button" tabIndex={-1} onClick={seek}>
        <time>{formatMoment(entry.t)}</time>
        <bdi>{stripColours(entry.text)}</bdi>
      </button>
      {id !== undefined && <a href={`#${id}`}>{id}</a>}
    </li>
  );
}
