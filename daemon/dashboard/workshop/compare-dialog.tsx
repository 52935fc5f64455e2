import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Pose } from "../../../robot/description/frames.ts";
import { rpyOf } from "../../../robot/kinematics/pose.ts";
import { createLineChart, type LineChart } from "../../../ui/chart/line-chart.ts";
import { RobotPanel, useRobotDisplay } from "../../../ui/components/robot-panel.tsx";
import { frameOfState } from "../../../ui/viewer/frames/frame-of-state.ts";
import type { RobotViewOptions } from "../../../ui/viewer/index.ts";
import { usePage } from "../shell/context.ts";
import { Dialog } from "../shell/dialog.tsx";
import type { EditSession } from "./edit-session.ts";
import { durationOf, plotColumns, sampleAt, type TryRecording } from "./try-recordings.ts";
import "./compare-dialog.css";

const yawOf = (pose: readonly number[]): number => rpyOf(pose as Pose).yaw;
const CURVES = [
  { colour: "--series-1" },
  { colour: "--series-1", dashed: true },
  { colour: "--series-2" },
  { colour: "--series-2", dashed: true },
];

/** Two tries over each other: one as the robot, the other as its ghost, and both in a plot. Either can be taken up again. */
export function CompareDialog({ session, close }: { session: EditSession; close(): void }) {
  const { theme } = usePage();
  const tries = session.recordings.list.value;
  const chosen = useSignal<[number, number]>([tries.at(-2)?.id ?? 0, tries.at(-1)?.id ?? 0]);
  const time = useSignal(0);
  const display = useRobotDisplay(true);
  const [one, other] = chosen.value.map((id) => tries.find((each) => each.id === id) ?? tries[0]);
  const end = Math.max(one ? durationOf(one) : 0, other ? durationOf(other) : 0);
  const isPlaying = useSignal(true);
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
    const [front, ghost] = chosen.value.map((id) => session.recordings.list.value.find((each) => each.id === id));
    const solid = front && sampleAt(front, time.value);
    const pale = ghost && sampleAt(ghost, time.value);
    if (view === null || !solid || !pale) return;
    view.show(frameOfState(solid));
    view.setGhost(display.ghost.value ? frameOfState(pale) : null);
  });
  const createView = async (canvas: HTMLCanvasElement, options: RobotViewOptions) =>
    (await import("../../../ui/viewer/index.ts")).createRobotView(canvas, options);
  const choose = (place: 0 | 1, id: number) => {
    chosen.value = place === 0 ? [id, chosen.value[1]] : [chosen.value[0], id];
  };
  if (one === undefined || other === undefined) return null;
  return (
    <Dialog title="Compare two tries" class="compare" close={close}>
      <RobotPanel
        class="compare-robot"
        label="Both tries"
        pictureLabel="One try as the robot, the other as its ghost"
        display={display}
        theme={theme}
        createView={createView}
        note={display.failure.value && `This browser cannot draw the robot: ${display.failure.value}`}
      />
      <div class="row compare-tools">
        <button type="button" class="button button-small" onClick={() => (isPlaying.value = !isPlaying.value)}>
          {isPlaying.value ? "Pause" : "Play"}
        </button>
        <input
          type="range"
          class="compare-time"
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
      <ComparePlot one={one} other={other} />
      {([one, other] as const).map((each, place) => (
        <div key={place} class="row compare-tools">
          <label>
            {place === 0 ? "Robot, solid lines: " : "Ghost, dashed lines: "}
            <select
              class="field"
              value={each.id}
              onChange={({ currentTarget }) => choose(place as 0 | 1, Number(currentTarget.value))}
            >
              {tries.map(({ id, changes }) => (
                <option key={id} value={id}>
                  Try {id}
                  {changes.length === 0 ? " (as kept)" : ""}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            class="button button-small"
            onClick={() => {
              session.restoreTry(each);
              close();
            }}
          >
            Take try {each.id} into the editor
          </button>
        </div>
      ))}
    </Dialog>
  );
}

/** Yaw of the head and the right antenna of both tries. */
function ComparePlot({ one, other }: { one: TryRecording; other: TryRecording }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current === null) return;
    const end = Math.max(durationOf(one), durationOf(other));
    const chart: LineChart = createLineChart(box.current, {
      curves: CURVES,
      window: { from: 0, to: end },
      leastRange: 15,
      padding: [6, 16, 0, 0],
      xAxis: { size: 22, label: (seconds) => `${seconds} s` },
      yAxis: { size: 38, label: String },
    });
    chart.draw(plotColumns(one, other, yawOf));
    return () => chart.dispose();
  }, [one, other]);
  return (
    <figure class="chart">
      <figcaption>
        <span class="legend" style={{ "--series": "var(--series-1)" }}>
          Yaw of the head
        </span>{" "}
        <span class="legend" style={{ "--series": "var(--series-2)" }}>
          Right antenna
        </span>
      </figcaption>
      <div
        ref={box}
        class="compare-plot"
        role="img"
        aria-label="Yaw and right antenna of both tries, in degrees over seconds"
      />
    </figure>
  );
}
