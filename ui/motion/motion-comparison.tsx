import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { createLineChart } from "../chart/line-chart.ts";
import { Button } from "../components/buttons.tsx";
import { prefersReducedMotion } from "../components/prefers-reduced-motion.ts";
import { RobotPanel, useRobotDisplay } from "../components/robot-panel.tsx";
import type { ThemeModel } from "../theme/theme-model.ts";
import { frameOfState } from "../viewer/frames/frame-of-state.ts";
import type { RobotView, RobotViewOptions } from "../viewer/index.ts";
import { type Motion, type MotionSample, motionDuration, plotColumns, sampleAt } from "./motion.ts";
import "./motion-comparison.css";

/** A value over time, as a plot shows it: degrees or millimetres. */
interface PlottedValue<S> {
  label: string;
  /** In the unit that the label names. */
  value(sample: S): number;
}

interface Props<S extends MotionSample> {
  /** The motion of the robot. */
  robot: Motion<S>;
  /** The motion of its ghost, and the dashed lines; null when there is only one. */
  ghost: Motion<S> | null;
  theme: ThemeModel;
  createView(canvas: HTMLCanvasElement, options: RobotViewOptions): RobotView | Promise<RobotView>;
  /** What the picture shows, and what the button for the ghost shows, for screen readers. */
  pictureLabel: string;
  ghostLabel: string;
  /** The values of each plot: two at most. */
  plots: readonly (readonly PlottedValue<S>[])[];
  children?: ComponentChildren;
}

const COLOURS = ["--series-1", "--series-2"] as const;

/** Two motions over each other: one as the robot, the other as its ghost, both in plots, with their time to play and to drag. */
export function MotionComparison<S extends MotionSample>(props: Props<S>) {
  const { robot, ghost, theme, createView, pictureLabel, ghostLabel, plots, children } = props;
  const time = useSignal(0);
  const isPlaying = useSignal(!prefersReducedMotion());
  const shown = useSignal({ robot, ghost });
  shown.value = shown.peek().robot === robot && shown.peek().ghost === ghost ? shown.peek() : { robot, ghost };
  const display = useRobotDisplay(true);
  const end = Math.max(motionDuration(robot), ghost === null ? 0 : motionDuration(ghost));
  useEffect(() => {
    let frame = 0;
    let last = performance.now();
    const step = (now: number) => {
      if (isPlaying.peek()) time.value = (time.peek() + (now - last) / 1000) % Math.max(end, 0.1);
      last = now;
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [end]);
  useSignalEffect(() => {
    const view = display.view.value;
    const solid = sampleAt(shown.value.robot, time.value);
    const pale = shown.value.ghost && sampleAt(shown.value.ghost, time.value);
    if (view === null || solid === undefined) return;
    view.show(frameOfState(solid));
    view.setGhost(display.ghost.value && pale ? frameOfState(pale) : null);
  });
  return (
    <>
      <RobotPanel
        class="comparison-robot"
        label="The robot"
        pictureLabel={pictureLabel}
        ghostLabel={ghost === null ? null : ghostLabel}
        display={display}
        theme={theme}
        createView={createView}
        note={display.failure.value && `This browser cannot draw the robot: ${display.failure.value}`}
      />
      <div class="comparison-tools">
        <Button small onClick={() => (isPlaying.value = !isPlaying.value)}>
          {isPlaying.value ? "Pause" : "Play"}
        </Button>
        <input
          type="range"
          class="comparison-time"
          aria-label="Seconds since the start"
          min={0}
          max={end}
          step={0.02}
          value={time.value}
          onInput={({ currentTarget }) => {
            isPlaying.value = false;
            time.value = Number(currentTarget.value);
          }}
        />
        <output>{time.value.toFixed(1)} s</output>
      </div>
      {children}
      {plots.map((values) => (
        <ComparisonPlot
          key={values.map(({ label }) => label).join()}
          robot={robot}
          ghost={ghost ?? robot}
          theme={theme}
          end={end}
          values={values}
          time={time}
        />
      ))}
    </>
  );
}

interface PlotProps<S extends MotionSample> {
  robot: Motion<S>;
  ghost: Motion<S>;
  theme: ThemeModel;
  /** Seconds. */
  end: number;
  values: readonly PlottedValue<S>[];
  time: ReadonlySignal<number>;
}

/** Values of both motions, the ghost's dashed. */
function ComparisonPlot<S extends MotionSample>({ robot, ghost, theme, end, values, time }: PlotProps<S>) {
  const box = useRef<HTMLDivElement>(null);
  const mark = useRef<HTMLElement>(null);
  const names = values.map(({ label }) => label).join(", ");
  useEffect(() => {
    if (box.current === null) return;
    const chart = createLineChart(box.current, {
      curves: values.flatMap((_, at) => [{ colour: COLOURS[at] ?? "" }, { colour: COLOURS[at] ?? "", dashed: true }]),
      window: { from: 0, to: end },
      leastRange: 15,
      padding: [6, 16, 0, 0],
      xAxis: { size: 22, label: (seconds) => `${seconds} s` },
      yAxis: { size: 42, label: String },
    });
    chart.draw(
      plotColumns(
        robot,
        ghost,
        values.map(({ value }) => value),
      ),
    );
    const stop = theme.theme.subscribe(() => chart.repaint());
    return () => {
      stop();
      chart.dispose();
    };
  }, [robot, ghost, names]);
  useSignalEffect(() => mark.current?.style.setProperty("--time", String(time.value / Math.max(end, 0.1))));
  return (
    <figure class="comparison-figure">
      <figcaption>
        {values.map(({ label }, at) => (
          <span key={label} class="legend" style={{ "--series": `var(${COLOURS[at]})` }}>
            {label}
          </span>
        ))}
      </figcaption>
      <div ref={box} class="comparison-plot" role="img" aria-label={`${names} of both motions, over seconds`}>
        <i ref={mark} aria-hidden="true" />
      </div>
    </figure>
  );
}
