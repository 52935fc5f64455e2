import { type RobotOptions, SimulatedRobot } from "../robot.ts";
import type { Speed } from "./pacer.ts";
import { SimLink } from "./sim-link.ts";

interface LocalLinkOptions extends RobotOptions {
  /** A monotonic clock in milliseconds for the robot's time; without one, only `advance` moves it. */
  readonly now?: () => number;
  /** With a clock. Default 1. */
  readonly speed?: Speed;
}

/** A link and direct access to its robot. */
export interface LocalLink {
  readonly link: SimLink;
  readonly robot: SimulatedRobot;
  /** Advances by some simulated seconds. */
  advance(seconds: number): void;
}

/**
 * Creates a simulated robot, in this thread: its physics take a quarter of a millisecond of a control period, less than a thread
 * of its own costs in messages. Without a clock, the same calls in the same order always give the same bytes.
 * The robot's data arrives in a separate microtask, as on any other link.
 */
export async function createLocalLink({ now, speed, ...options }: LocalLinkOptions): Promise<LocalLink> {
  const robot = await SimulatedRobot.create(options, (bytes) => link.receive(bytes));
  const link = new SimLink(robot, now, speed);
  return { link, robot, advance: (seconds) => link.advance(seconds) };
}
