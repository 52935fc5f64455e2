import type { ComponentChildren } from "preact";
import type { SceneEvent } from "../../../verdict/verdict.ts";
import { moment } from "../model/figures.ts";
import type { Player } from "../model/player.ts";
import { density } from "../model/scene.ts";

/** Bars of the log's density. */
const BINS = 150;

function Lane({ name, of, children }: { name: string; of: string; children: ComponentChildren }) {
  return (
    <div class={`lane lane-${of}`}>
      <span class="lane-name">{name}</span>
      <div class="lane-area">{children}</div>
    </div>
  );
}

/** The states of the app as bands. */
export function SlotLane({ player }: { player: Player }) {
  const { from, to } = player.window.value;
  const at = (t: number) => ((Math.min(to, Math.max(from, t)) - from) / (to - from)) * 100;
  return (
    <Lane name="App" of="slot">
      {player.bands.value
        .filter((band) => band.to > from && band.from < to)
        .map((band) => (
          <span
            key={band.from}
            class={`band band-${band.state}`}
            style={{ left: `${at(band.from)}%`, width: `${at(band.to) - at(band.from)}%` }}
            title={`${band.state}, ${moment(band.from)} to ${moment(band.to)} s`}
          >
            {band.state}
          </span>
        ))}
    </Lane>
  );
}

/** Events of one kind as marks; a click goes there. */
export function MarkLane({ name, kind, player }: { name: string; kind: SceneEvent["kind"]; player: Player }) {
  const { from, to } = player.window.value;
  const events = player.scene.value?.events.filter((event) => event.kind === kind) ?? [];
  if (events.length === 0) return null;
  const seen = events.filter(({ t }) => t >= from && t <= to);
  return (
    <Lane name={name} of="marks">
      {seen.map(({ t, text, level }, i) => {
        const said = `${moment(t)} s: ${text}`;
        const next = seen[i + 1]?.t ?? to;
        const place = { left: `${((t - from) / (to - from)) * 100}%`, width: `${((next - t) / (to - from)) * 100}%` };
        return (
          <span key={`${t}${text}`} class={`event event-${kind} event-${level}`} style={place}>
            <button
              type="button"
              tabIndex={-1}
              aria-label={said}
              title={said}
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

/** How much the app prints. */
export function LogLane({ player }: { player: Player }) {
  const { from, to } = player.window.value;
  const log = player.scene.value?.log ?? [];
  if (log.length === 0) return null;
  const counts = density(log, from, to, BINS);
  const errors = density(
    log.filter(({ stream }) => stream === "stderr"),
    from,
    to,
    BINS,
  );
  const most = Math.max(1, ...counts);
  const bars = (of: number[]) =>
    of
      .map((count, i) => (count === 0 ? "" : `M${i} 1h.9V${(1 - (0.15 + 0.85 * (count / most))).toFixed(3)}h-.9z`))
      .join("");
  return (
    <Lane name="Log" of="log">
      <svg viewBox={`0 0 ${BINS} 1`} preserveAspectRatio="none" role="img" aria-label={`${log.length} lines of log`}>
        <path class="log-all" d={bars(counts)} />
        <path class="log-errors" d={bars(errors)} />
      </svg>
    </Lane>
  );
}
