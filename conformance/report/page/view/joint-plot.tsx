import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { degrees } from "../../../../daemon/dashboard/format.ts";
import type { ThemeModel } from "../../../../daemon/dashboard/model/theme.ts";
import type { Player } from "../model/player.ts";
import { momentAt } from "../model/scene.ts";
import { createJointChart, DEGREES, type JointChart } from "./joint-chart.ts";

interface Props {
  title: string;
  /** What to call which joint; the keys are places in JOINT_NAMES. */
  joints: Readonly<Record<number, string>>;
  player: Player;
  theme: ThemeModel;
}

/** Joints over time, degrees: measured as a line, sent as a dashed one. */
export function JointPlot({ title, joints, player, theme }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<JointChart | null>(null);
  useEffect(() => {
    if (box.current === null) return;
    const made = createJointChart(box.current, Object.keys(joints).map(Number));
    chart.current = made;
    return () => made.dispose();
  }, []);
  useSignalEffect(() => {
    const scene = player.scene.value;
    if (scene) chart.current?.draw(scene.motion);
  });
  useSignalEffect(() => chart.current?.show(player.window.value));
  useSignalEffect(() => {
    theme.theme.value;
    chart.current?.repaint();
  });
  const now = player.scene.value && momentAt(player.scene.value.motion, player.time.value);
  return (
    <figure class="lane lane-plot">
      <figcaption class="plot-caption">
        <span class="plot-title">{title}</span>
        {Object.entries(joints).map(([joint, name], i) => (
          <span key={joint} class="legend" style={{ "--series": `var(--joint-${i})` }}>
            {name} <b>{degrees(angle(now?.measured[Number(joint)]))}</b>
            <span class="muted"> {degrees(angle(now?.sent?.[Number(joint)]))}</span>
          </span>
        ))}
      </figcaption>
      <div ref={box} class="plot" />
    </figure>
  );
}

const angle = (radians: number | undefined) => (radians === undefined ? undefined : radians * DEGREES);
