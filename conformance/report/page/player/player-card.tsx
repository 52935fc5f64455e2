import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ThemeModel } from "../../../../ui/theme/theme-model.ts";
import { Timeline } from "../timeline/timeline.tsx";
import { actionOf } from "./keys.ts";
import { LogPanel } from "./log-panel.tsx";
import { PlaybackControls } from "./playback-controls.tsx";
import type { Player } from "./player.ts";
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
