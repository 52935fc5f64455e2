import { signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Pull, Push } from "../../../sim/viewer/push-drag.ts";
import type { RobotView } from "../../../sim/viewer/robot-view.ts";
import { prefersCalm, usePage } from "./context.ts";
import { Icon } from "./icons.tsx";
import { QuickActions } from "./quick-actions.tsx";
import { StatusLine } from "./status-line.tsx";
import { WorldMenu } from "./world-menu.tsx";

/** The robot, live. The drawing code is large and loads after the page stands. */
export function Stage() {
  const { dashboard, theme } = usePage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const tools = useRef<HTMLDivElement>(null);
  const view = useRef(signal<RobotView | null>(null)).current;
  const failure = useSignal<string | null>(null);
  const ghost = useSignal(false);
  const pushed = useSignal(false);
  const { robot } = dashboard;

  useEffect(() => {
    const unmounted = new AbortController();
    const { signal: gone } = unmounted;
    import("../../../sim/viewer/index.ts")
      .then(({ createRobotView, frameOf, frameOfJoints }) => {
        if (gone.aborted || canvas.current === null) return;
        const onPush = (push: Push | Pull | null) => {
          if (!robot.simulated.peek()) return;
          pushed.value = true;
          dashboard.push(push);
        };
        const made = createRobotView(canvas.current, { theme: theme.theme.peek(), calm: prefersCalm(), onPush });
        view.value = made;
        const toolbar = new ResizeObserver(([entry]) => made.setInset((entry?.target.clientHeight ?? 0) + 24));
        if (tools.current) toolbar.observe(tools.current);
        const stop = robot.onState((state) => {
          made.update(state.timestamp, frameOf(state));
          made.setGhost(ghost.peek() && state.sent ? (frameOfJoints(state.sent, state.headPose) ?? null) : null);
        });
        const stopObjects = dashboard.world.onFrame(({ t, objects }) => made.setObjects(t, objects));
        gone.addEventListener("abort", () => {
          stop();
          stopObjects();
          toolbar.disconnect();
          made.dispose();
        });
      })
      .catch((error: unknown) => {
        failure.value = error instanceof Error ? error.message : String(error);
      });
    return () => unmounted.abort();
  }, []);

  useSignalEffect(() => view.value?.setTheme(theme.theme.value));
  useSignalEffect(() => {
    const faulty = robot.phase.value === "error" || robot.error.value !== null;
    const limp = robot.motorMode.value === "disabled";
    view.value?.setMood({ awake: robot.awake.value, glow: faulty ? "fault" : limp ? "limp" : "awake" });
  });

  const lost = dashboard.link.value.kind === "lost";
  return (
    <section class={lost ? "stage stage-lost" : "stage"} aria-label="The robot">
      <canvas ref={canvas} class="stage-canvas" role="img" aria-label="The robot, live, in three dimensions" />
      <StatusLine />
      <div class="stage-tools">
        {robot.simulated.value && <WorldMenu />}
        <button
          type="button"
          class="icon-button"
          aria-pressed={ghost.value}
          aria-label="Show the commanded pose"
          title="Show the pose that the motors are told to hold"
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
      {failure.value && <p class="stage-note">The robot cannot be drawn here: {failure.value}</p>}
      {robot.error.value && (
        <p class="stage-fault" role="alert">
          {robot.error.value}
        </p>
      )}
      {robot.simulated.value && !pushed.value && view.value && (
        <p class="stage-hint">Pull at the head or an antenna, carry what lies on the table</p>
      )}
      <QuickActions box={tools} />
    </section>
  );
}
