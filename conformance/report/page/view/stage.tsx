import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ThemeModel } from "../../../../daemon/dashboard/model/theme.ts";
import { prefersCalm } from "../../../../daemon/dashboard/view/context.ts";
import { Icon } from "../../../../daemon/dashboard/view/icons.tsx";
import { createRobotView, type RobotView } from "../../../../sim/viewer/index.ts";
import { frameAt } from "../model/frames.ts";
import type { Player } from "../model/player.ts";
import { momentAt } from "../model/scene.ts";

const STATES = {
  starting: "Starting",
  running: "Running",
  stopping: "Stopping",
  done: "Done",
  error: "Error",
} as const;

/** The robot at the player's moment, with a ghost where its servos are told to be. */
export function Stage({ player, theme }: { player: Player; theme: ThemeModel }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useSignal<RobotView | null>(null);
  const failure = useSignal<string | null>(null);
  const ghost = useSignal(true);

  useEffect(() => {
    const box = canvas.current;
    if (box === null) return;
    const draw = () => {
      try {
        view.value = createRobotView(box, { theme: theme.theme.peek(), calm: prefersCalm() });
      } catch (error) {
        failure.value = error instanceof Error ? error.message : String(error);
      }
    };
    // To set up the drawing takes a while; who reads the verdict need not wait for it.
    const sight = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      sight.disconnect();
      draw();
    });
    sight.observe(box);
    return () => {
      sight.disconnect();
      view.value?.dispose();
    };
  }, []);
  useSignalEffect(() => view.value?.setTheme(theme.theme.value));
  useSignalEffect(() => {
    const scene = player.scene.value;
    const now = scene && momentAt(scene.motion, player.time.value);
    if (!now || view.value === null) return;
    const frame = frameAt(now.measured);
    if (frame) view.value.show(frame);
    view.value.setGhost((ghost.value && now.sent && frameAt(now.sent)) || null);
    const limp = now.sent === null;
    view.value.setMood({ awake: !limp, glow: player.state.value === "error" ? "fault" : limp ? "limp" : "awake" });
  });

  const state = player.state.value;
  const recorded = (player.scene.value?.motion.t.length ?? 0) > 0;
  const note =
    failure.value !== null ? "This browser draws nothing in three dimensions; the curves below show the same." : null;
  return (
    <div class={`stage${note ? " stage-flat" : ""}${recorded ? "" : " stage-empty"}`}>
      <canvas ref={canvas} class="stage-canvas" role="img" aria-label="The robot at this moment, in three dimensions" />
      <p class="stage-state">
        <i class={`dot dot-${state ?? "none"}`} aria-hidden="true" />
        {state === null ? "Not started" : STATES[state]}
      </p>
      {note === null && (
        <div class="stage-tools">
          <button
            type="button"
            class="icon-button"
            aria-pressed={ghost.value}
            aria-label="Show where the servos are told to be"
            title="Show where the servos are told to be"
            onClick={() => {
              ghost.value = !ghost.value;
            }}
          >
            <Icon name="ghost" />
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label="Reset the camera"
            title="Reset the camera"
            onClick={() => view.value?.resetCamera()}
          >
            <Icon name="camera" />
          </button>
        </div>
      )}
      {note && <p class="stage-note">{note}</p>}
      {!recorded && !note && <p class="stage-note">No motion was recorded in this scene.</p>}
    </div>
  );
}
