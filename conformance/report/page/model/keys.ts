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
  "[": (player) => player.leap(-1),
  "]": (player) => player.leap(1),
  "+": (player) => player.zoomBy(2),
  "-": (player) => player.zoomBy(0.5),
};

/** What a key does to the player; undefined for keys that belong to the control they were pressed in, or to the browser. */
export function actionOf(event: KeyboardEvent): Action | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const within = event.target instanceof Element ? event.target : null;
  if (within?.closest("input, select, textarea")) return undefined;
  // A focused button or link is pressed by the space bar.
  if (event.key === " " && within?.closest("button, a")) return undefined;
  const shifted = event.shiftKey ? KEYS[`Shift+${event.key}`] : undefined;
  return shifted ?? KEYS[event.key];
}
