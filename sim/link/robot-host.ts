import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import { sceneOf } from "../physics/scene.ts";
import type { SimulatedRobot } from "../robot.ts";
import { TimeControl } from "../time/time-control.ts";
import { Pacer, type Speed } from "./pacer.ts";

/** Milliseconds between two advances while no bytes arrive. A master that asks more often advances the robot by that. */
const TICK_MS = 12;
/** The same while somebody watches: short, so that scenes come at even times. */
const WATCHED_TICK_MS = 2;
/** The same while the robot is at rest. */
const REST_TICK_MS = 1000;
/** Milliseconds by which a timer may be late; the host polls for anything that is due sooner. */
const TIMER_SLACK_MS = 1.5;
/** Simulated seconds per advance at the speed "max". */
const UNPACED_SLICE = 0.02;
/** Simulated seconds between two events for lost time. */
const LOST_TIME_INTERVAL = 1;
const MAX_SCENE_RATE = 120;

export type SimEvent =
  /** A push broke the platform; it was recovered. */
  | { readonly kind: "platform-recovered" }
  /** The machine was too slow: simulated seconds that were skipped since the last such event. */
  | { readonly kind: "lost-time"; readonly seconds: number };

/** Called with what happens at the robot, in addition to its bytes. */
interface HostListeners {
  onScene(scene: Scene): void;
  onEvent(event: SimEvent): void;
  /** The robot has stopped for ever: the physics engine failed. */
  onFailure(failure: WorkbenchError): void;
}

/** Runs a simulated robot: hands bytes and actions to it and, with a clock, advances it in real time. */
export class RobotHost {
  readonly #robot: SimulatedRobot;
  readonly #listeners: HostListeners;
  readonly #pacer: Pacer | undefined;
  readonly time: TimeControl;
  #cancelTick = () => {};
  /** Whether the next tick is one of a robot at rest. */
  #rests = false;
  #scenePeriod = Number.POSITIVE_INFINITY;
  #nextScene = 0;
  #nextLostTime = 0;
  #updatedAt = 0;
  #recoveries = 0;

  /** @param now a monotonic clock in milliseconds; without one, only `advance` moves time */
  constructor(robot: SimulatedRobot, listeners: HostListeners, now?: () => number, speed: Speed = 1) {
    this.#robot = robot;
    this.#listeners = listeners;
    this.#pacer = now && new Pacer(robot, now, speed);
    this.time = new TimeControl(robot, this.#pacer);
    if (now !== undefined && speed !== "on-demand") this.#tick();
  }

  /** Takes bytes from the bus master. Never throws: an engine that fails ends the robot. */
  receive(bytes: Uint8Array): void {
    this.#endOnError(() => {
      this.time.catchUp();
      this.#robot.receive(bytes);
      this.#tickNext();
    });
  }

  /**
   * Acts on the robot as it is now.
   * @throws WorkbenchError that of the action; `robot-not-ready` when the engine fails, which ends the robot
   */
  act<T>(action: (robot: SimulatedRobot) => T): T {
    try {
      this.time.catchUp();
      const result = action(this.#robot);
      this.#tickNext();
      return result;
    } catch (error) {
      throw error instanceof WorkbenchError ? error : this.#fail(error);
    }
  }

  /** Advances by some simulated seconds. */
  advance(seconds: number): void {
    this.#robot.advanceTo(this.#robot.time + seconds);
    this.time.catchUp();
    this.#sendUpdates();
  }

  /**
   * Reports scenes, so many per simulated second: 0 to 120.
   * @throws WorkbenchError `bad-request` for another number
   */
  watch(hz: number): void {
    if (!(hz >= 0 && hz <= MAX_SCENE_RATE)) {
      throw new WorkbenchError(
        "bad-request",
        `The scene rate must be from 0 to ${MAX_SCENE_RATE} per second, not ${hz}.`,
      );
    }
    this.act(({ time }) => {
      this.#scenePeriod = 1 / hz;
      this.#nextScene = time;
    });
  }

  /** Stops the robot's time and frees its memory. */
  stop(): void {
    this.#cancelTick();
    this.#robot.free();
  }

  /** Schedules the next tick; call after an advance, and when something may have acted on a robot at rest. */
  #tickNext(): void {
    if (this.time.isPaused) {
      this.#cancelTick();
      this.#rests = false;
      this.#robot.deliverReplies();
      this.#sendUpdates();
      return;
    }
    if (this.#pacer === undefined || typeof this.#pacer.speed !== "number") return;
    if (this.#robot.nextArrival !== undefined) {
      this.#tickIn(0);
      return;
    }
    this.#sendUpdates();
    if (this.#rests && this.#robot.isAtRest) return;
    this.#tickIn(this.#isWatched ? WATCHED_TICK_MS : TICK_MS);
  }

  get #isWatched(): boolean {
    return this.#scenePeriod !== Number.POSITIVE_INFINITY;
  }

  #tick(): void {
    if (this.#pacer?.speed === "max") {
      this.advance(UNPACED_SLICE);
      this.#tickIn(0);
      return;
    }
    this.time.catchUp();
    this.#sendUpdates();
    const left = 1000 * (this.#robot.nextArrival ?? Number.POSITIVE_INFINITY);
    const rests = this.#robot.isAtRest && !this.#isWatched;
    const period = rests ? REST_TICK_MS : this.#isWatched ? WATCHED_TICK_MS : TICK_MS;
    this.#tickIn(left < TIMER_SLACK_MS ? 0 : Math.min(period, left - TIMER_SLACK_MS));
    this.#rests = rests;
  }

  /** Schedules the next tick; 0 ms is directly after the waiting messages. */
  #tickIn(milliseconds: number): void {
    this.#cancelTick();
    this.#rests = false;
    if (milliseconds === 0) {
      const tick = setImmediate(() => this.#endOnError(() => this.#tick()));
      this.#cancelTick = () => clearImmediate(tick);
    } else {
      const tick = setTimeout(() => this.#endOnError(() => this.#tick()), milliseconds);
      this.#cancelTick = () => clearTimeout(tick);
    }
  }

  #endOnError(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** An engine that has failed once cannot go on. */
  #fail(cause: unknown): WorkbenchError {
    this.#cancelTick();
    const why = cause instanceof Error ? cause.message : String(cause);
    const failure = new WorkbenchError("robot-not-ready", `The simulated robot stopped: ${why}`, { cause });
    this.#listeners.onFailure(failure);
    return failure;
  }

  #sendUpdates(): void {
    const { time, physics } = this.#robot;
    if (time < this.#updatedAt) {
      // The robot was rewound.
      this.#nextScene = time;
      this.#nextLostTime = time;
    }
    this.#updatedAt = time;
    if (time >= this.#nextScene && this.#isWatched) {
      this.#nextScene = Math.max(this.#nextScene + this.#scenePeriod, time);
      this.#listeners.onScene(sceneOf(physics, time));
    }
    if (physics.recoveries > this.#recoveries) this.#listeners.onEvent({ kind: "platform-recovered" });
    this.#recoveries = physics.recoveries;
    if (time < this.#nextLostTime) return;
    this.#nextLostTime = time + LOST_TIME_INTERVAL;
    const seconds = this.#pacer?.takeLostSeconds() ?? 0;
    if (seconds > 0) this.#listeners.onEvent({ kind: "lost-time", seconds });
  }
}
