import type { Clock } from "../../common/time/clock.ts";
import { createLocalLink } from "./local-link.ts";
import type { SimLink } from "./sim-link.ts";

/** A simulated robot that is as old as a clock says whenever something is sent to it. The same calls give the same bytes. */
export async function createVirtualLink(clock: Pick<Clock, "now">): Promise<SimLink> {
  const { link, robot, advance } = await createLocalLink({ seed: 1 });
  const catchUp = () => advance(Math.max(0, clock.now() / 1000 - robot.time));
  const [write, push] = [link.write.bind(link), link.push.bind(link)];
  return Object.assign(link, {
    write: (bytes: Uint8Array) => {
      catchUp();
      write(bytes);
    },
    push: (...args: Parameters<SimLink["push"]>) => {
      catchUp();
      return push(...args);
    },
  });
}
