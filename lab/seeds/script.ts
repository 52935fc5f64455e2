import { APPS } from "./app-scripts.ts";
import {
  fault,
  fillDisk,
  jumpWallClock,
  killApp,
  killBoth,
  killDaemon,
  killRobotProcess,
  SERVO_FAULTS,
  stopRobotProcess,
  touch,
  unplug,
  WIRE_FAULTS,
} from "./bad-luck.ts";
import { type RestRequest, sendRequest } from "./send-request.ts";
import { changeSetting } from "./settings-durability.ts";
import type { System } from "./system.ts";

/** Something that a user, the machine or bad luck does to the system. */
export interface Step {
  /** Milliseconds since the start. */
  at: number;
  what: string;
  run(system: System): unknown;
}

type Make = (random: () => number) => Omit<Step, "at">;

const pick = <T>(random: () => number, of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
const names = Object.keys(APPS);
const anApp = (random: () => number): string => (random() < 0.03 ? "unknown" : pick(random, names));

const post = (path: string, more: Partial<RestRequest> = {}) => ({
  what: `POST ${path}${more.query === undefined ? "" : ` ${JSON.stringify(more.query)}`}`,
  run: (system: System) => sendRequest(system, { method: "post", path, ...more }),
});
/** What a user asks for that moves the robot. */
const move = (path: string, body?: unknown) => {
  const { what, run } = post(path, body === undefined ? {} : { body });
  const runMove = (system: System) => {
    system.observer.movedByUser();
    return run(system);
  };
  return { what, run: runMove };
};

const aSetting = (random: () => number) =>
  pick(random, [
    () => changeSetting("startup app", pick(random, [null, anApp(random)])),
    () => changeSetting("restart after crash", random() < 0.6, pick(random, names)),
    () => changeSetting("speed", Math.floor(110 * random()), pick(random, names)),
  ])();

/** A setting that is changed when the worst happens: before the request, or when it is answered. */
const meet = (random: () => number, luck: Omit<Step, "at">, isAfter = false): Omit<Step, "at"> => {
  const setting = aSetting(random);
  const [first, second] = isAfter ? [setting, luck] : [luck, setting];
  const run = async (system: System) => {
    await first.run(system);
    await second.run(system);
  };
  return { what: `${first.what}, then ${second.what}`, run };
};

/** Kinds of steps, with how often each is taken. */
const KINDS: readonly (readonly [weight: number, make: Make])[] = [
  [28, (random) => post(`/api/apps/start-app/${anApp(random)}`)],
  [8, (random) => post(`/api/apps/start-app/${anApp(random)}`, { query: { replace: "true" } })],
  [18, () => post("/api/apps/stop-current-app")],
  [8, (random) => post("/api/apps/restart-current-app", { query: { in_place: String(random() < 0.5) } })],
  [6, () => move("/api/move/play/wake_up")],
  [4, () => move("/api/move/play/goto_sleep")],
  [4, (random) => move("/api/move/goto", { antennas: [random(), -random()], duration: 0.3 + random() })],
  [2, (random) => move(`/api/motors/set_mode/${pick(random, ["enabled", "disabled"])}`)],
  [14, (random) => aSetting(random)],
  [4, (random) => meet(random, fillDisk(400))],
  [4, (random) => meet(random, { what: "kill the daemon after the answer", run: killDaemon }, true)],
  [1, (random) => post(`/api/apps/remove/${anApp(random)}`)],
  [4, (random) => touch(pick(random, ["right", "left"]))],
  [8, () => ({ what: "kill the app", run: killApp })],
  [3, () => ({ what: "kill the robot process", run: killRobotProcess })],
  [3, (random) => killBoth(Math.floor(600 * random()))],
  [2, (random) => stopRobotProcess(pick(random, [300, 1000, 2500, 5000]))],
  [2, (random) => unplug(pick(random, [100, 2000, 10_000]))],
  [4, (random) => fault(`${pick(random, WIRE_FAULTS)},for=${(1 + 4 * random()).toFixed(1)}`)],
  [2, (random) => fault(`${pick(random, SERVO_FAULTS)},for=${(0.2 + 2 * random()).toFixed(1)}`)],
  [3, (random) => jumpWallClock(pick(random, [-3_600_000, -1, 1000, 86_400_000, 1e11, -1e11]))],
  [2, (random) => fillDisk(pick(random, [500, 5000]))],
  [2, () => ({ what: "kill the daemon", run: killDaemon })],
];

/** The steps of a seed. @param random of its own, so that a step that is left out changes no other */
export function scriptOf(random: () => number, most = 40): Step[] {
  const kinds = KINDS.flatMap(([weight, make]) => Array<Make>(weight).fill(make));
  const count = 5 + Math.floor((most - 5) * random());
  const steps: Step[] = [];
  for (let at = 3000 * random(), step = 0; step < count; step += 1) {
    steps.push({ at, ...pick(random, kinds)(random) });
    at += random() < 0.4 ? 50 * random() : 4000 * random();
  }
  return steps;
}
