import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ThemeModel } from "../theme/theme-model.ts";
import type { RobotView, RobotViewOptions } from "../viewer/index.ts";
import { IconButton } from "./buttons.tsx";
import { prefersReducedMotion } from "./prefers-reduced-motion.ts";
import "./robot-panel.css";

/** What a robot panel shows. */
interface RobotDisplay {
  /** Null until the canvas has come into sight and the view is loaded. */
  view: Signal<RobotView | null>;
  /** Why the view could not be created; null unless that failed. */
  failure: Signal<string | null>;
  /** Whether the commanded pose is shown as well. */
  ghost: Signal<boolean>;
}

export function useRobotDisplay(ghost: boolean): RobotDisplay {
  return { view: useSignal(null), failure: useSignal(null), ghost: useSignal(ghost) };
}

interface Props {
  display: RobotDisplay;
  theme: ThemeModel;
  class?: string;
  /** What the panel is, for screen readers. */
  label: string;
  /** What the picture shows, for screen readers. */
  pictureLabel: string;
  /** What the button for the ghost shows: the commanded pose unless given, and null for no button. */
  ghostLabel?: string | null;
  createView(canvas: HTMLCanvasElement, options: RobotViewOptions): RobotView | Promise<RobotView>;
  /** Shown instead of the robot. */
  note?: string | null;
  /** Further buttons of the toolbar. */
  tools?: ComponentChildren;
  children?: ComponentChildren;
}

/** The robot in three dimensions, with buttons for the commanded pose and the camera. */
export function RobotPanel(props: Props) {
  const { display, theme, label, pictureLabel, createView, note, tools, children } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const box = canvas.current;
    if (box === null) return;
    const unmounted = new AbortController();
    const create = async () => {
      try {
        const view = await createView(box, { theme: theme.theme.peek(), reducedMotion: prefersReducedMotion() });
        if (unmounted.signal.aborted) view.dispose();
        else display.view.value = view;
      } catch (error) {
        display.failure.value = error instanceof Error ? error.message : String(error);
      }
    };
    // Creating the view takes a while, so it waits until the canvas is in sight.
    const sight = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      sight.disconnect();
      void create();
    });
    sight.observe(box);
    return () => {
      unmounted.abort();
      sight.disconnect();
      display.view.peek()?.dispose();
      display.view.value = null;
    };
  }, []);
  useSignalEffect(() => display.view.value?.setTheme(theme.theme.value));
  return (
    <section class={`robot-panel ${props.class ?? ""}`} aria-label={label}>
      <canvas ref={canvas} class="robot-canvas" role="img" aria-label={pictureLabel} />
      <div class="robot-tools">
        {tools}
        {display.failure.value === null && display.view.value?.isDrawn !== false && (
          <ViewTools display={display} ghostLabel={props.ghostLabel} />
        )}
      </div>
      {note && <p class="robot-note">{note}</p>}
      {children}
    </section>
  );
}

function ViewTools({ display, ghostLabel }: { display: RobotDisplay; ghostLabel: string | null | undefined }) {
  return (
    <>
      {ghostLabel !== null && (
        <IconButton
          icon="ghost"
          label={ghostLabel ?? "Show the commanded pose"}
          aria-pressed={display.ghost.value}
          title={ghostLabel ?? "Show the pose that the servos are commanded to hold"}
          onClick={() => {
            display.ghost.value = !display.ghost.value;
          }}
        />
      )}
      <IconButton icon="camera" label="Reset the camera" onClick={() => display.view.value?.resetCamera()} />
    </>
  );
}
