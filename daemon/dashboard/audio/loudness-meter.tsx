import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../shell/context.ts";

/** How much of its length the bar loses in a second. */
const DECAY = 1.8;

/** A bar as long as the speaker is loud. Drawn without Preact, once a screen refresh while it moves. */
export function LoudnessMeter() {
  const { audio } = usePage();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    let [level, drawnAt, frame] = [0, 0, 0];
    const draw = (now: number): void => {
      level = Math.max(0, level - (DECAY * Math.min(100, now - drawnAt)) / 1000);
      drawnAt = now;
      if (bar.current) bar.current.style.scale = `${level} 1`;
      frame = level > 0 ? requestAnimationFrame(draw) : 0;
    };
    const stop = audio.loudness.on((loudness) => {
      level = Math.max(level, loudness);
      if (frame !== 0 || level === 0) return;
      drawnAt = performance.now();
      frame = requestAnimationFrame(draw);
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, []);
  return (
    <span class="meter" aria-hidden="true">
      <i ref={bar} />
    </span>
  );
}
