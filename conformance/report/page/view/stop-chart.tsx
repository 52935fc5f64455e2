import type { Verdict } from "../../../verdict/verdict.ts";
import { shortTime } from "../model/figures.ts";
import { decades, type Stop, stopsOf } from "../model/stops.ts";

/** How long the app took to stop, each time: figures of the judgements above, the stops of the scenes below. */
export function StopChart({ verdict }: { verdict: Verdict }) {
  const { measured, seen, limit } = stopsOf(verdict);
  if (measured.length + seen.length < 2) return null;
  const scale = decades(
    [...measured, ...seen].map(({ seconds }) => seconds),
    limit,
  );
  const at = (seconds: number) => `${scale.shareOf(seconds) * 100}%`;
  return (
    <section class="card stops" aria-label="Time to stop">
      <h2 class="title">
        Time to stop{" "}
        <span class="muted">
          {limit === null ? "from being told to the end" : `from being told to the end; at most ${shortTime(limit)}`}
        </span>
      </h2>
      <div class="stops-chart">
        <Row name="Measured" stops={measured} at={at} />
        <Row name="In the scenes" stops={seen} at={at} />
        <div class="stops-row" aria-hidden="true">
          <span />
          <div class="stops-scale">
            {scale.marks.map((tick) => (
              <span key={tick} style={{ left: at(tick) }}>
                {shortTime(tick)}
              </span>
            ))}
            {limit !== null && <em class="stops-limit" style={{ left: at(limit) }} />}
          </div>
        </div>
      </div>
      <ul class="stops-figures">
        {measured.map(({ label, seconds, href }) => (
          <li key={label}>
            <a href={href ?? "#"}>
              {label} <b>{shortTime(seconds)}</b>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ name, stops, at }: { name: string; stops: readonly Stop[]; at: (seconds: number) => string }) {
  if (stops.length === 0) return null;
  return (
    <div class="stops-row">
      <span>{name}</span>
      <div class="stops-line">
        {stops.map(({ label, seconds, href }, i) => {
          const said = `${label}: ${shortTime(seconds)}`;
          return (
            <a key={i} class="stops-dot" href={href ?? "#"} style={{ left: at(seconds) }} title={said}>
              <span class="unseen">{said}</span>
            </a>
          );
        })}
      </div>
    </div>
  );
}
