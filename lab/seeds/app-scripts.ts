import type { Range } from "./clocks.ts";

/** What an app does, in milliseconds. */
export interface AppScript {
  /** When it connects; null for never. Default 100 to 800. */
  connects?: Range | null;
  /** When it ends by itself; default never. And its exit code, default 0. */
  lives?: Range;
  code?: number;
  /** How long it takes to end on SIGINT; null when it ignores it. Default 10 to 300. */
  onInterrupt?: Range | null;
  ignoresTerm?: boolean;
  /** Whether it reads its socket. Default true. */
  reads?: boolean;
  /** A process that it leaves behind. */
  leaves?: "in its group" | "elsewhere";
  /** The messages of each round of its loop, and the time between two rounds. */
  act?(round: number, random: () => number): readonly object[];
  every?: Range;
}

const wave: AppScript["act"] = (round) => [
  { type: "set_full_target", antennas: [0.5 * Math.sin(round / 5), -0.4], body_yaw: 0.2 * Math.sin(round / 20) },
];
const goto: AppScript["act"] = (round, random) => [
  { type: "task", uuid: `task-${round}`, req: { antennas: [random(), -random()], duration: 0.2 + random() } },
];
const nap: AppScript["act"] = (round) => [{ type: round % 2 === 0 ? "goto_sleep" : "wake_up" }];
const limp: AppScript["act"] = (round) => [{ type: "set_motor_mode", mode: round % 2 === 0 ? "disabled" : "enabled" }];
const flood: AppScript["act"] = (round) =>
  Array.from({ length: 40 }, (_, step) => ({ type: "set_antennas", antennas: [((round + step) % 10) / 20, 0] }));
const nonsense: AppScript["act"] = () => [{ type: "explode" }, { type: "set_target", head: [1] }];
const shout: AppScript["act"] = () => Array(40).fill({ type: "explode" });

/** The apps of the simulated machine, by name. */
export const APPS: Readonly<Record<string, AppScript>> = {
  waves: { act: wave },
  gestures: { act: goto, every: [300, 1500] },
  naps: { act: nap, every: [4000, 6000] },
  limps: { act: limp, every: [500, 3000] },
  floods: { act: flood, every: [20, 60] },
  babbles: { act: nonsense, every: [500, 2000] },
  brief: { act: wave, lives: [1500, 3000] },
  crashes: { act: goto, every: [300, 900], lives: [900, 6000], code: 1 },
  breaks: { connects: null, lives: [50, 300], code: 1 },
  silent: { connects: null },
  slow: { connects: [2500, 4500], act: wave },
  lingers: { act: wave, onInterrupt: [1000, 6000] },
  deaf: { act: wave, onInterrupt: null },
  stubborn: { act: goto, every: [300, 900], onInterrupt: null, ignoresTerm: true },
  hoards: { act: shout, reads: false },
  forks: { act: wave, leaves: "in its group" },
  escapes: { act: wave, leaves: "elsewhere", lives: [1500, 5000] },
};
