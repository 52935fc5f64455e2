import type { ByteLink } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Scene } from "../../robot/wire/objects-frame.ts";
import { Listeners } from "./listeners.ts";
import type { Simulation } from "./robot.ts";

/** A link to a simulated robot is a way to its world too. */
export type SimulatedLink = ByteLink & Simulation;

/** One lasting simulation over links that come and go: each `open` makes a link, and the last one answers. */
export function relinked(create: () => Promise<SimulatedLink>): {
  open: () => Promise<ByteLink>;
  simulation: Simulation;
} {
  const scenes = new Listeners<Scene>();
  let hz = 0;
  let last: SimulatedLink | undefined;
  const world = async (): Promise<Simulation> => {
    if (last !== undefined) return last;
    throw new WorkbenchError("robot-not-ready", "The simulated robot is still being started; try again in a second.");
  };
  return {
    open: async () => {
      const link = await create();
      link.onScene((scene) => scenes.tell(scene));
      if (hz > 0) await link.watch(hz);
      last = link;
      return link;
    },
    simulation: {
      push: async (...args) => (await world()).push(...args),
      addObject: async (object) => (await world()).addObject(object),
      removeObject: async (name) => (await world()).removeObject(name),
      reset: async () => (await world()).reset(),
      setSpeed: async (speed) => (await world()).setSpeed(speed),
      watch: async (wanted) => {
        await last?.watch(wanted);
        hz = wanted;
      },
      onScene: (listener) => scenes.add(listener),
    },
  };
}
