import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatMoment, roundTicks } from "../../../../ui/format/figures.ts";
import type { ThemeModel } from "../../../../ui/theme/theme-model.ts";
import type { Player } from "../player/player.ts";
import { JointPlot } from "./joint-plot.tsx";
import { EventLane, LogLane, StateLane } from "./lanes.tsx";
import "./timeline.css";

/** Joints by their index in JOINT_NAMES. */
const PLOTS = [
  { title: "Body", joints: { 0: "yaw" } },
  { title: "Legs", joints: { 1: "1", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6" } },
  { title: "Antennas", joints: { 7: "right", 8: "left" } },
];

/** States, events, output and joints over time, with one cursor. Dragging moves the player's time. */
export function Timeline({ player, theme }: { player: Player; theme: ThemeModel }) {
  const ruler = useRef<HTMLDivElement>(null);
  const scrub = ({ clientX }: PointerEvent) => {
    const { left, width } = ruler.current?.getBoundingClientRect() ?? { left: 0, width: 0 };
    const { from, to } = player.window.value;
    if (width > 0) player.seek(from + Math.min(1, Math.max(0, (clientX - left) / width)) * (to - from));
  };
  const testRun = player.testRun.value;
  if (testRun === null) return null;
  const findings = testRun.events.filter(({ kind }) => kind === "finding");
  return (
    <div
      class="timeline"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        player.playing.value = false;
        scrub(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) scrub(event);
      }}
    >
      <div class="lane lane-ruler">
        <span class="lane-name" />
        <div ref={ruler} class="lane-area">
          <Ruler player={player} />
          <TimeLine player={player} t={player.time.value} class="timeline-cursor" />
          {findings.map(({ t, text }) => (
            <TimeLine key={`${t}${text}`} player={player} t={t} class="timeline-finding" />
          ))}
        </div>
      </div>
      <StateLane player={player} />
      <EventLane name="Harness" kind="action" player={player} />
      <EventLane name="Robot" kind="robot" player={player} />
      <EventLane name="Findings" kind="finding" player={player} />
      <LogLane player={player} />
      {testRun.motion.t.length > 0 && (
        <>
          <p class="plot-key">
            <span>measured</span> <span class="key-sent">sent to the servos</span>
          </p>
          {PLOTS.map((plot) => (
            <JointPlot key={plot.title} {...plot} player={player} theme={theme} />
          ))}
        </>
      )}
    </div>
  );
}

function Ruler({ player }: { player: Player }) {
  const { from, to } = player.window.value;
  const valueText = useComputed(() => `${formatMoment(player.time.value)} s, ${player.state.value ?? "not started"}`);
  return (
    <div
      class="ruler"
      role="slider"
      tabIndex={0}
      aria-label="Time in the test run"
      aria-valuemin={0}
      aria-valuemax={player.duration}
      aria-valuenow={player.time.value}
      aria-valuetext={valueText.value}
    >
      {roundTicks(from, to, 8).map((t) => (
        <span key={t} style={{ left: `${((t - from) / (to - from)) * 100}%` }}>
          {Number(t.toFixed(3))} s
        </span>
      ))}
    </div>
  );
}

/** A vertical line at a time; nothing when it is outside of the window. */
function TimeLine({ player, t, class: name }: { player: Player; t: number; class: string }) {
  const { from, to } = player.window.value;
  if (t < from || t > to) return null;
  return <i class={name} aria-hidden="true" style={{ left: `${((t - from) / (to - from)) * 100}%` }} />;
}
