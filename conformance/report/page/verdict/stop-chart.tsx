import { formatShortTime } from "../../../../ui/format/figures.ts";
import type { Verdict } from "../../../verdict/verdict.ts";
import { logScale, type StopTime, stopTimesOf } from "./stop-times.ts";
import "./stop-chart.css";

/** How long the app took to stop, on a logarithmic scale: measurements above, stops in the test runs below. */
export function StopChart({ verdict }: { verdict: Verdict }) {
  const { measured, inTestRuns, limit } = stopTimesOf(verdict);
  if (measured.length + inTestRuns.length < 2) return null;
  const scale = logScale(
    [...measured, ...inTestRuns].map(({ seconds }) => seconds),
    limit,
  );
  const at = (seconds: number) => `${scale.positionOf(seconds) * 100}%`;
  return (
    <section class="card stops" aria-label="Time to stop">
      <h2 class="title">
        Time to stop{" "}
        <span class="muted">
          from the stop request to the end of the app{limit !== null && `; limit ${formatShortTime(limit)}`}
        </span>
      </h2>
      <div class="stops-chart">
        <Row name="Measured" times={measured} at={at} />
        <Row name="In the test runs" times={inTestRuns} at={at} />
        <div class="stops-row" aria-hidden="true">
          <span />
          <div class="stops-scale">
            {scale.ticks.map((tick) => (
              <span key={tick} style={{ left: at(tick) }}>
                {formatShortTime(tick)}
              </span>
            ))}
            {limit !== null && <em class="stops-limit" style={{ left: at(limit) }} />}
          </div>
        </div>
      </div>
      <ul class="stops-figures">
        {measured.map(({ label, seconds, href }) => (
          <li key={label}>
            <a href={href}>
              {label} <b>{formatShortTime(seconds)}</b>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ name, times, at }: { name: string; times: readonly StopTime[]; at: (seconds: number) => string }) {
  if (times.length === 0) return null;
  return (
    <div class="stops-row">
      <span>{name}</span>
      <div class="stops-line">
        {times.map(({ label, seconds, href }, i) => {
          const text = `${label}: ${formatShortTime(seconds)}`;
          return (
            <a key={i} class="stops-dot" href={href} style={{ left: at(seconds) }} title={text}>
              <span class="visually-hidden">{text}</span>
            </a>
          );
        })}
      </div>
    </div>
  );
}
