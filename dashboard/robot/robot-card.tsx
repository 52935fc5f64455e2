import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { RobotPanel, useRobotDisplay } from "../../ui/components/robot-panel.tsx";
import { frameOfJoints, frameOfState } from "../../ui/viewer/frames/frame-of-state.ts";
import type { RobotViewOptions } from "../../ui/viewer/index.ts";
import { usePage } from "../shell/context.ts";
import { SimulationMenu } from "../simulation/simulation-menu.tsx";
import { QuickActions } from "./quick-actions.tsx";
import { StatusLine } from "./status-line.tsx";
import "./robot.css";

/** Pixels between the quick actions and the robot. */
const ACTIONS_MARGIN = 24;

/** The robot, live, with its status and quick actions. The drawing code is large and loads after the page. */
export function RobotCard() {
  const { dashboard, theme } = usePage();
  const { robot, objects } = dashboard;
  const display = useRobotDisplay(false);
  const actions = useRef<HTMLDivElement>(null);
  const hasDragged = useSignal(false);

  const createView = async (canvas: HTMLCanvasElement, options: RobotViewOptions) => {
    const { createRobotView } = await import("../../ui/viewer/index.ts");
    return createRobotView(canvas, {
      ...options,
      onDrag: (action) => {
        if (!robot.simulated.peek()) return;
        hasDragged.value = true;
        void dashboard.push(action);
      },
    });
  };
  useSignalEffect(() => {
    const view = display.view.value;
    if (view === null) return;
    const stop = robot.onState((state) => {
      view.update(state.timestamp, frameOfState(state));
      const commanded = display.ghost.peek() ? state.sent : null;
      view.setGhost((commanded && frameOfJoints(commanded, state.headPose)) ?? null);
    });
    const stopObjects = objects.onFrame((frame) => view.setObjects(frame.t, frame.objects));
    return () => {
      stop();
      stopObjects();
    };
  });
  useSignalEffect(() => {
    const isFaulty = robot.phase.value === "error" || robot.error.value !== null;
    const motorsOff = robot.motorMode.value === "disabled";
    const glow = isFaulty ? "fault" : motorsOff ? "off" : "on";
    display.view.value?.setEyes({ awake: robot.awake.value, glow });
  });
  useEffect(() => {
    const box = actions.current;
    const view = display.view.value;
    if (box === null || view === null) return;
    const sizes = new ResizeObserver(() => view.setInset(box.clientHeight + ACTIONS_MARGIN));
    sizes.observe(box);
    return () => sizes.disconnect();
  }, [display.view.value]);

  const lost = dashboard.connection.value.kind === "lost";
  const failure = display.failure.value;
  return (
    <RobotPanel
      class={lost ? "robot-card robot-card-lost" : "robot-card"}
      label="The robot"
      pictureLabel="The robot, live, in three dimensions"
      display={display}
      theme={theme}
      createView={createView}
      note={failure && `This browser cannot draw the robot: ${failure}`}
      tools={robot.simulated.value && <SimulationMenu />}
    >
      <StatusLine />
      {robot.error.value && (
        <p class="robot-error" role="alert">
          {robot.error.value}
        </p>
      )}
      {robot.simulated.value && !hasDragged.value && display.view.value?.isDrawn && (
        <p class="robot-hint">Drag the head, an antenna or an object</p>
      )}
      <QuickActions box={actions} />
    </RobotPanel>
  );
}
