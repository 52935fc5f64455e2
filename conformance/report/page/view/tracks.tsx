import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ThemeModel } from "../../../../daemon/dashboard/model/theme.ts";
import { moment, ticks } from "../model/figures.ts";
import type { Player } from "../model/player.ts";
import { JointPlot } from "./joint-plot.tsx";
import { LogLane, MarkLane, SlotLane } from "./lanes.tsx";

/** Joints by their place in JOINT_NAMES. */
const PLOTS = [
  { title: "Body", joints: { 0: "yaw" } },
  { title: "Legs", joints: { 1: "1", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6" } },
  { title: "Antennas", joints: { 7: "right", 8: "left" } },
];

/** Everything over time, one below the other, with one cursor through all of it. Dragging moves the moment. */
export function Tracks({ player, theme }: { player: Player; theme: ThemeModel }) {
  const ruler = useRef<HTMLDivElement>(null);
  const scrub = ({ clientX }: PointerEvent) => {
    const { left, width } = ruler.current?.getBoundingClientRect() ?? { left: 0, width: 0 };
    const { from, to } = player.window.value;
    if (width > 0) player.seek(from + Math.min(1, Math.max(0, (clientX - left) / width)) * (to - from));
  };
  const scene = player.scene.value;
  if (scene === null) return null;
  const findings = scene.events.filter(({ kind }) => kind === "finding");
  return (
    <div
      class="tracks"
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
          <Cursor player={player} />
          {findings.map(({ t, text }) => (
            <At key={`${t}${text}`} player={player} t={t} class="finding-line" />
          ))}
        </div>
      </div>
      <SlotLane player={player} />
      <MarkLane name="Harness" kind="action" player={player} />
      <MarkLane name="Robot" kind="robot" player={player} />
      <MarkLane name="Findings" kind="finding" player={player} />
      <LogLane player={player} />
      {scene.motion.t.length > 0 && (
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
  const said = useComputed(() => `${moment(player.time.value)} s, ${player.state.value ?? "not started"}`);
  return (
    <div
      class="ruler"
      role="slider"
      tabIndex={0}
      aria-label="Moment of the scene"
      aria-valuemin={0}
      aria-valuemax={player.duration}
      aria-valuenow={player.time.value}
      aria-valuetext={said.value}
    >
      {ticks(from, to, 8).map((t) => (
        <span key={t} style={{ left: `${((t - from) / (to - from)) * 100}%` }}>
          {Number(t.toFixed(3))} s
        </span>
      ))}
    </div>
  );
}

/** Somewhere in the drawn window; nothing outside of it. */
function At({ player, t, class: name }: { player: Player; t: number; class: string }) {
  const { from, to } = player.window.value;
  if (t < from || t > to) return null;
  return <i class={name} aria-hidden="true" style={{ left: `${((t - from) / (to - from)) * 100}%` }} />;
}

const Cursor = ({ player }: { player: Player }) => <At player={player} t={player.time.value} class="cursor" />;
