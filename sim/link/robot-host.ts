import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import { sceneOf } from "../physics/scene.ts";
import type { SimulatedRobot } from "../robot.ts";
import type { MessageFromRobot, MessageToRobot, SimRequest, Speed } from "./messages.ts";
import { Pacer } from "./pacer.ts";

/** Milliseconds between two advances while no bytes arrive. A master that asks more often advances the robot by that. */
const TICK_MS = 12;
/** The same while somebody watches: short, so that scenes come at even times. */
const WATCHED_TICK_MS = 2;
/** The same while the robot is at rest. */
const REST_TICK_MS = 200;
/** Milliseconds by which a timer may be late; the host polls for anything that is due sooner. */
const TIMER_SLACK_MS = 1.5;
/** Simulated seconds per advance at the speed "max". */
const UNPACED_SLICE = 0.02;
/** Simulated seconds between two events for lost time. */
const LOST_TIME_INTERVAL = 1;
const MAX_SPEED = 100;
const MAX_SCENE_RATE = 120;

/** The robot's end of a link: handles messages and, with a clock, advances the robot in real time. */
export class RobotHost {
  readonly #robot: SimulatedRobot;
  readonly #send: (message: MessageFromRobot) => void;
  readonly #pacer: Pacer | undefined;
  #cancelTick = () => {};
  /** Whether the next tick is one of a robot at rest. */
  #rests = false;
  #scenePeriod = Number.POSITIVE_INFINITY;
  #nextScene = 0;
  #nextLostTime = 0;
  #recoveries = 0;

  /** @param now a monotonic clock in milliseconds; without one, only `advance` moves time */
  constructor(robot: SimulatedRobot, send: (message: MessageFromRobot) => void, now?: () => number, speed: Speed = 1) {
    this.#robot = robot;
    this.#send = send;
    if (now === undefined) return;
    this.#pacer = new Pacer(robot, now, parseSpeed(speed));
    this.#tick();
  }

  /** Handles a message. Never throws: an error is sent as the reply to its request, or as the end of the robot. */
  handle(message: MessageToRobot): void {
    this.#endOnError(() => this.#handle(message));
  }

  #handle(message: MessageToRobot): void {
    this.#pacer?.catchUp();
    if (message.kind === "bytes") {
      this.#robot.receive(message.bytes);
      if (this.#robot.nextArrival !== undefined) this.#tickSoon();
      else this.#tickLater();
      return;
    }
    const { id, request } = message;
    try {
      if (request.kind === "readInertialSensor") {
        this.#send({ kind: "done", id, inertial: this.#robot.inertialSensor?.read() ?? null });
        return;
      }
      this.#execute(request);
      this.#tickLater();
      this.#send({ kind: "done", id });
    } catch (error) {
      const { code, detail } = problemOf(error);
      this.#send({ kind: "refused", id, code, detail });
    }
  }

  /** Advances by some simulated seconds. */
  advance(seconds: number): void {
    this.#robot.advanceTo(this.#robot.time + seconds);
    this.#sendUpdates();
  }

  /** Stops the robot's time and frees its memory. */
  stop(): void {
    this.#cancelTick();
    this.#robot.free();
  }

  /** Call when replies are due, so that the next advance is not late. */
  #tickSoon(): void {
    if (this.#pacer !== undefined) this.#tickIn(0);
  }

  /** Call after an advance, and when something may have acted on a robot at rest. */
  #tickLater(): void {
    if (this.#pacer === undefined || this.#pacer.speed === "max") return;
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
    this.#pacer?.catchUp();
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

  /** An engine that has failed once cannot go on. */
  #endOnError(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#cancelTick();
      this.#send({ kind: "failed", error });
    }
  }

  #execute(request: Exclude<SimRequest, { kind: "readInertialSensor" }>): void {
    const { physics } = this.#robot;
    if (request.kind === "push") physics.push(request.hand, request.push, request.seconds);
    else if (request.kind === "addObject") physics.addObject(request.object);
    else if (request.kind === "removeObject") removeObject(physics, request.name);
    else if (request.kind === "reset") this.#robot.reset();
    else this.#watch(request.hz);
  }

  #watch(hz: number): void {
    if (!(hz >= 0 && hz <= MAX_SCENE_RATE)) {
      throw new WorkbenchError(
        "bad-request",
        `The scene rate must be from 0 to ${MAX_SCENE_RATE} per second, not ${hz}.`,
      );
    }
    this.#scenePeriod = 1 / hz;
    this.#nextScene = this.#robot.time;
  }

  #sendUpdates(): void {
    const { time, physics } = this.#robot;
    if (time >= this.#nextScene && this.#isWatched) {
      this.#nextScene = Math.max(this.#nextScene + this.#scenePeriod, time);
      this.#send({ kind: "scene", scene: sceneOf(physics, time) });
    }
    if (physics.recoveries > this.#recoveries) this.#send({ kind: "event", event: { kind: "platform-recovered" } });
    this.#recoveries = physics.recoveries;
    if (time < this.#nextLostTime) return;
    this.#nextLostTime = time + LOST_TIME_INTERVAL;
    const seconds = this.#pacer?.takeLostSeconds() ?? 0;
    if (seconds > 0) this.#send({ kind: "event", event: { kind: "lost-time", seconds } });
  }
}

function removeObject(physics: SimulatedRobot["physics"], name: string): void {
  if (physics.removeObject(name)) return;
  const names = physics.objects().map((object) => object.name);
  throw new WorkbenchError("bad-request", `There is no object "${name}"; there are: ${names.join(", ") || "none"}.`);
}

function parseSpeed(speed: Speed): Speed {
  if (speed === "max" || (speed > 0 && speed <= MAX_SPEED)) return speed;
  throw new WorkbenchError("bad-request", `The speed must be "max" or above 0 and at most ${MAX_SPEED}, not ${speed}.`);
}
