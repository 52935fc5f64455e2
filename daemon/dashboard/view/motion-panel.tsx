import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { degrees } from "../format.ts";
import type { Series } from "../model/history.ts";
import { usePage } from "./context.ts";
import type { MotionChart } from "./motion-chart.ts";

type Curve = { name: Series; label: string; colour: string };

const HEAD: Curve[] = [
  { name: "yaw", label: "Yaw", colour: "--series-1" },
  { name: "pitch", label: "Pitch", colour: "--series-2" },
  { name: "roll", label: "Roll", colour: "--series-3" },
  { name: "bodyYaw", label: "Body", colour: "--series-4" },
];
const ANTENNAS: Curve[] = [
  { name: "rightAntenna", label: "Right", colour: "--series-1" },
  { name: "leftAntenna", label: "Left", colour: "--series-2" },
];

/** Milliseconds between two drawings of the charts. */
const PACE = 200;

/** The last 20 seconds of head and antennas, in degrees. */
export function MotionPanel() {
  return (
    <section class="card panel" aria-label="Motion">
      <div class="panel-head">
        <h3 class="card-title">Motion</h3>
        <span class="muted">last 20 s, degrees</span>
      </div>
      <Chart title="Head" curves={HEAD} />
      <Chart title="Antennas" curves={ANTENNAS} />
    </section>
  );
}

function Chart({ title, curves }: { title: string; curves: Curve[] }) {
  const { dashboard, theme } = usePage();
  const { robot } = dashboard;
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<MotionChart | null>(null);
  const latest = useSignal<(number | undefined)[]>([]);

  useEffect(() => {
    const unmounted = new AbortController();
    let drawn = 0;
    import("./motion-chart.ts").then(({ createMotionChart }) => {
      if (unmounted.signal.aborted || box.current === null) return;
      const made = createMotionChart(
        box.current,
        curves.map(({ colour }) => colour),
      );
      chart.current = made;
      const stop = robot.onState(() => {
        if (document.hidden || robot.history.still || performance.now() - drawn < PACE) return;
        drawn = performance.now();
        made.draw(robot.history.columns(curves.map(({ name }) => name)));
        latest.value = curves.map(({ name }) => robot.history.latest(name));
      });
      unmounted.signal.addEventListener("abort", () => {
        stop();
        made.dispose();
      });
    });
    return () => unmounted.abort();
  }, []);
  useSignalEffect(() => {
    theme.theme.value;
    chart.current?.repaint();
  });

  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        {curves.map(({ label, colour }, i) => (
          <span key={label} class="legend" style={{ "--series": `var(${colour})` }}>
            {label} <b>{degrees(latest.value[i])}</b>
          </span>
        ))}
      </figcaption>
      <div ref={box} class="chart-plot" />
    </figure>
  );
}
