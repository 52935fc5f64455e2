import { type RobotOptions, SimulatedRobot } from "../robot.ts";
import { RobotHost } from "./host.ts";
import type { FromRobot, Speed } from "./messages.ts";
import { SimLink } from "./sim-link.ts";

export interface LocalLinkOptions extends RobotOptions {
  /** A monotonic clock in milliseconds that the robot lives by; without one its time moves with `advance` only. */
  readonly now?: () => number;
  /** With a clock: times real time, or as fast as it can. 1 when absent. */
  readonly speed?: Speed;
}

/** A link with the robot itself at hand. */
export interface LocalLink {
  readonly link: SimLink;
  readonly robot: SimulatedRobot;
  /** Moves on by so many simulated seconds. */
  advance(seconds: number): void;
}

/**
 * A simulated robot in this thread. Without a clock, the same calls in the same order always give the same bytes. What
 * the robot sends arrives in a microtask of its own, as on any other link.
 */
export async function createLocalLink({ now, speed, ...options }: LocalLinkOptions): Promise<LocalLink> {
  const send = (message: FromRobot) => queueMicrotask(() => link.receive(message));
  const robot = await SimulatedRobot.create(options, (bytes) => send({ kind: "bytes", bytes }));
  const host = new RobotHost(robot, send, now, speed);
  const link = new SimLink({
    post: (message) => host.handle(message),
    close: async () => host.stop(),
  });
  return { link, robot, advance: (seconds) => host.advance(seconds) };
}
