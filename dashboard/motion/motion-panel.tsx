import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LineChart } from "../../ui/chart/line-chart.ts";
import { formatDegrees } from "../../ui/format/format.ts";
import { usePage } from "../shell/context.ts";
import type { Series } from "./motion-history.ts";
import "./motion.css";

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

/** Milliseconds between two drawings of a chart. */
const INTERVAL = 200;

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
  const chart = useRef<LineChart | null>(null);
  const latest = useSignal<(number | undefined)[]>([]);

  useEffect(() => {
    const unmounted = new AbortController();
    let drawnAt = 0;
    let drawnStill: number | null = null;
    void import("./motion-chart.ts").then(({ createMotionChart }) => {
      if (unmounted.signal.aborted || box.current === null) return;
      const created = createMotionChart(
        box.current,
        curves.map(({ colour }) => colour),
      );
      chart.current = created;
      const stop = robot.onState(() => {
        const { stillSince } = robot.history;
        const isDrawn = stillSince !== null && stillSince === drawnStill;
        if (document.hidden || isDrawn || performance.now() - drawnAt < INTERVAL) return;
        drawnAt = performance.now();
        drawnStill = stillSince;
        created.draw(robot.history.columns(curves.map(({ name }) => name)));
        latest.value = curves.map(({ name }) => robot.history.latest(name));
      });
      unmounted.signal.addEventListener("abort", () => {
        stop();
        created.dispose();
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
            {label} <b>{formatDegrees(latest.value[i])}</b>
          </span>
        ))}
      </figcaption>
      <div ref={box} class="chart-plot" />
    </figure>
  );
}
