import { useSignalEffect } from "@preact/signals";
import { RobotPanel, useRobotDisplay } from "../../../../ui/components/robot-panel.tsx";
import type { ThemeModel } from "../../../../ui/theme/theme-model.ts";
import { createRobotView } from "../../../../ui/viewer/index.ts";
import { frameOfAngles } from "./frames.ts";
import type { Player } from "./player.ts";
import { sampleAt } from "./recording.ts";

const STATES = {
  starting: "Starting",
  running: "Running",
  stopping: "Stopping",
  done: "Done",
  error: "Error",
} as const;

/** The robot at the player's time, with the commanded pose as a ghost. */
export function ReplayPanel({ player, theme }: { player: Player; theme: ThemeModel }) {
  const display = useRobotDisplay(true);
  useSignalEffect(() => {
    const view = display.view.value;
    const motion = player.testRun.value?.motion;
    const sample = motion && sampleAt(motion, player.time.value);
    if (!sample || view === null) return;
    const frame = frameOfAngles(sample.measured);
    if (frame) view.show(frame);
    view.setGhost((display.ghost.value && sample.sent && frameOfAngles(sample.sent)) || null);
    const motorsOff = sample.sent === null;
    const glow = player.state.value === "error" ? "fault" : motorsOff ? "off" : "on";
    view.setEyes({ awake: !motorsOff, glow });
  });

  const state = player.state.value;
  const isRecorded = (player.testRun.value?.motion.t.length ?? 0) > 0;
  const cannotDraw = display.failure.value !== null;
  const note = cannotDraw
    ? "This browser cannot draw in three dimensions; the curves below show the same motion."
    : isRecorded
      ? null
      : "This test run recorded no motion.";
  return (
    <RobotPanel
      class={`replay${cannotDraw ? " replay-flat" : ""}${isRecorded ? "" : " replay-empty"}`}
      label="The robot"
      pictureLabel="The robot at this time, in three dimensions"
      display={display}
      theme={theme}
      createView={createRobotView}
      note={note}
    >
      <p class="replay-state">
        <i class={`dot dot-${state ?? "none"}`} aria-hidden="true" />
        {state === null ? "Not started" : STATES[state]}
      </p>
    </RobotPanel>
  );
}
