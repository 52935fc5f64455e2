import { type Player, STEP } from "./player.ts";

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
export function actionOf(event: KeyboardEvent): Action | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const focused = event.target instanceof Element ? event.target : null;
  if (focused?.closest("input, select, textarea")) return undefined;
  // The space bar activates a focused button or link.
  if (event.key === " " && focused?.closest("button, a")) return undefined;
  const withShift = event.shiftKey ? KEYS[`Shift+${event.key}`] : undefined;
  return withShift ?? KEYS[event.key];
}
