import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { DEGREE } from "../../../../common/degree.ts";
import type { LineChart } from "../../../../ui/chart/line-chart.ts";
import { formatDegrees } from "../../../../ui/format/format.ts";
import type { ThemeModel } from "../../../../ui/theme/theme-model.ts";
import type { Player } from "../player/player.ts";
import { sampleAt } from "../player/recording.ts";
import { columnsOf, createJointChart } from "./joint-chart.ts";

interface Props {
  title: string;
  /** Labels of the joints; the keys are indices in JOINT_NAMES. */
  joints: Readonly<Record<number, string>>;
  player: Player;
  theme: ThemeModel;
}

/** Joints over time in degrees: measured as lines, sent as dashed lines. */
export function JointPlot({ title, joints, player, theme }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<LineChart | null>(null);
  const indices = Object.keys(joints).map(Number);
  useEffect(() => {
    if (box.current === null) return;
    const created = createJointChart(box.current, indices);
    chart.current = created;
    return () => created.dispose();
  }, []);
  useSignalEffect(() => {
    const testRun = player.testRun.value;
    if (testRun) chart.current?.draw(columnsOf(testRun.motion, indices));
  });
  useSignalEffect(() => chart.current?.show(player.window.value));
  useSignalEffect(() => {
    theme.theme.value;
    chart.current?.repaint();
  });
  const motion = player.testRun.value?.motion;
  const sample = motion && sampleAt(motion, player.time.value);
  return (
    <figure class="lane lane-plot">
      <figcaption class="plot-caption">
        <span class="plot-title">{title}</span>
        {indices.map((joint, i) => (
          <span key={joint} class="legend" style={{ "--series": `var(--joint-${i})` }}>
            {joints[joint]} <b>{formatDegrees(toDegrees(sample?.measured[joint]))}</b>
            <span class="muted"> {formatDegrees(toDegrees(sample?.sent?.[joint]))}</span>
          </span>
        ))}
      </figcaption>
      <div ref={box} class="plot" />
    </figure>
  );
}

const toDegrees = (radians: number | undefined) => (radians === undefined ? undefined : radians / DEGREE);
