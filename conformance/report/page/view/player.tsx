import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ThemeModel } from "../../../../daemon/dashboard/model/theme.ts";
import { actionOf } from "../model/keys.ts";
import type { Player } from "../model/player.ts";
import { Stage } from "./stage.tsx";
import { StoryPanel } from "./story-panel.tsx";
import { Tracks } from "./tracks.tsx";
import { Transport } from "./transport.tsx";

interface Props {
  player: Player;
  theme: ThemeModel;
  /** Ids that an event may name. */
  requirements: readonly string[];
}

/** A scene to watch: the robot, the story, the tracks, all at one moment. */
export function PlayerView({ player, theme, requirements }: Props) {
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
  return (
    <section ref={box} id="player" class="card player" tabIndex={-1} aria-label={`Scene: ${player.scene.value?.title}`}>
      <h3 class="player-title">{player.scene.value?.title}</h3>
      <div class="player-top">
        <Stage player={player} theme={theme} />
        <StoryPanel player={player} requirements={requirements} />
      </div>
      <Transport player={player} />
      <Tracks player={player} theme={theme} />
    </section>
  );
}
