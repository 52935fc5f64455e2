import type { ComponentChildren } from "preact";
import { formatMoment } from "../../../../ui/format/figures.ts";
import type { TestRunEvent } from "../../../verdict/verdict.ts";
import type { Player } from "../player/player.ts";
import { countPerBin } from "../player/recording.ts";

/** Bars of the log's histogram. */
const BINS = 150;

function Lane({ name, kind, children }: { name: string; kind: string; children: ComponentChildren }) {
  return (
    <div class={`lane lane-${kind}`}>
      <span class="lane-name">{name}</span>
      <div class="lane-area">{children}</div>
    </div>
  );
}

/** The states of the app as bands. */
export function StateLane({ player }: { player: Player }) {
  const { from, to } = player.window.value;
  const at = (t: number) => ((Math.min(to, Math.max(from, t)) - from) / (to - from)) * 100;
  return (
    <Lane name="App" kind="state">
      {player.bands.value
        .filter((band) => band.to > from && band.from < to)
        .map((band) => (
          <span
            key={band.from}
            class={`band state-${band.state}`}
            style={{ left: `${at(band.from)}%`, width: `${at(band.to) - at(band.from)}%` }}
            title={`${band.state}, ${formatMoment(band.from)} to ${formatMoment(band.to)} s`}
          >
            {band.state}
          </span>
        ))}
    </Lane>
  );
}

/** Events of one kind as marks; a click goes to the time of the event. */
export function EventLane({ name, kind, player }: { name: string; kind: TestRunEvent["kind"]; player: Player }) {
  const { from, to } = player.window.value;
  const events = player.testRun.value?.events.filter((event) => event.kind === kind) ?? [];
  if (events.length === 0) return null;
  const visible = events.filter(({ t }) => t >= from && t <= to);
  const percent = (seconds: number) => `${(seconds / (to - from)) * 100}%`;
  return (
    <Lane name={name} kind="event">
      {visible.map(({ t, text, level }, i) => {
        const label = `${formatMoment(t)} s: ${text}`;
        const next = visible[i + 1]?.t ?? to;
        const position = { left: percent(t - from), width: percent(next - t) };
        return (
          <span key={`${t}${text}`} class={`event event-${kind} event-${level}`} style={position}>
            <button
              type="button"
              tabIndex={-1}
              aria-label={label}
              title={label}
              onPointerDown={(event) => event.stopPropagation()}
              onClick={() => player.step(t - player.time.value)}
            />
            <span aria-hidden="true">{text}</span>
          </span>
        );
      })}
    </Lane>
  );
}

/** How much the app prints, as a histogram. */
export function LogLane({ player }: { player: Player }) {
  const { from, to } = player.window.value;
  const log = player.testRun.value?.log ?? [];
  if (log.length === 0) return null;
  const counts = countPerBin(log, from, to, BINS);
  const errors = countPerBin(
    log.filter(({ stream }) => stream === "stderr"),
    from,
    to,
    BINS,
  );
  const largest = Math.max(1, ...counts);
  const pathOf = (bins: number[]) =>
    bins
      .map((count, i) => (count === 0 ? "" : `M${i} 1h.9V${(1 - (0.15 + 0.85 * (count / largest))).toFixed(3)}h-.9z`))
      .join("");
  return (
    <Lane name="Log" kind="log">
      <svg viewBox={`0 0 ${BINS} 1`} preserveAspectRatio="none" role="img" aria-label={`${log.length} lines of log`}>
        <path class="log-all" d={pathOf(counts)} />
        <path class="log-errors" d={pathOf(errors)} />
      </svg>
    </Lane>
  );
}
