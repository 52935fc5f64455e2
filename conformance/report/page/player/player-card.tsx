import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ThemeModel } from "../../../../ui/theme/theme-model.ts";
import { Timeline } from "../timeline/timeline.tsx";
import { LogPanel } from "./log-panel.tsx";
import { PlaybackControls } from "./playback-controls.tsx";
import { type Player, STEP } from "./player.ts";
import { ReplayPanel } from "./replay-panel.tsx";
import "./player.css";

interface Props {
  player: Player;
  theme: ThemeModel;
  /** Ids that an event may mention. */
  requirements: readonly string[];
}

/** The replay of a test run: the robot, the log and the timeline at the same time. */
export function PlayerCard({ player, theme, requirements }: Props) {
  const box = useRef<HTMLElement>(null);
  useSignalEffect(() => {
    if (!player.playing.value) return;
    let last = performance.now();
    let request = requestAnimationFrame(function tick(now) {
      player.advance(Math.max(0, now - last) / 1000);
      last = now;
      request = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(request);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const { top, bottom } = box.current?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      if (bottom < 0 || top > innerHeight) return;
      const action = actionOf(event);
      if (action === undefined) return;
      event.preventDefault();
      action(player);
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  const title = player.testRun.value?.title;
  return (
    <section ref={box} id="player" class="card player" tabIndex={-1} aria-label={`Test run: ${title}`}>
      <h3 class="player-title">{title}</h3>
      <div class="player-top">
        <ReplayPanel player={player} theme={theme} />
        <LogPanel player={player} requirements={requirements} />
      </div>
      <PlaybackControls player={player} />
      <Timeline player={player} theme={theme} />
    </section>
  );
}

type Action = (player: Player) => void;

const KEYS: Readonly<Record<string, Action>> = {
  " ": (player) => player.toggle(),
  ArrowLeft: (player) => player.step(-STEP),
  ArrowRight: (player) => player.step(STEP),
  "Shift+ArrowLeft": (player) => player.step(-1),
  "Shift+ArrowRight": (player) => player.step(1),
  Home: (player) => player.step(Number.NEGATIVE_INFINITY),
  End: (player) => player.step(Number.POSITIVE_INFINITY),
  "[": (player) => player.jumpToEvent(-1),
  "]": (player) => player.jumpToEvent(1),
  "+": (player) => player.zoomBy(2),
  "-": (player) => player.zoomBy(0.5),
};

/** What a key does to the player; undefined for keys that the focused control or the browser handles. */
function actionOf(event: KeyboardEvent): Action | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const focused = event.target instanceof Element ? event.target : null;
  if (focused?.closest("input, select, textarea")) return undefined;
  // The space bar activates a focused button or link.
  if (event.key === " " && focused?.closest("button, a")) return undefined;
  const withShift = event.shiftKey ? KEYS[`Shift+${event.key}`] : undefined;
  return withShift ?? KEYS[event.key];
}
