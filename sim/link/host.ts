import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import { sceneOf } from "../physics/scene.ts";
import type { SimulatedRobot } from "../robot.ts";
import type { FromRobot, Request, Speed, ToRobot } from "./messages.ts";
import { Pacer } from "./pacer.ts";

/** Milliseconds between two advances while no bytes arrive: short, so that bytes find a robot that is nearly there. */
const TICK = 2;
/** Milliseconds that a timer may be late; for anything nearer the host polls. */
const TIMER_SLACK = 1.5;
/** Simulated seconds at a time when nobody needs real time. */
const UNPACED_SLICE = 0.02;
/** Simulated seconds between two events that tell of lost time. */
const LOST_TIME_EVERY = 1;
const MAX_SPEED = 100;
const MAX_WATCH = 120;

/** The robot's end of a link: obeys messages and, when it has a clock, lets the robot live. */
export class RobotHost {
  readonly #robot: SimulatedRobot;
  readonly #send: (message: FromRobot) => void;
  readonly #pacer: Pacer | undefined;
  #cancelBeat = () => {};
  #scenePeriod = Number.POSITIVE_INFINITY;
  #nextScene = 0;
  #nextLostTime = 0;
  #reseats = 0;

  /** @param now a monotonic clock in milliseconds; without one, time moves with `advance` only */
  constructor(robot: SimulatedRobot, send: (message: FromRobot) => void, now?: () => number, speed: Speed = 1) {
    this.#robot = robot;
    this.#send = send;
    if (now === undefined) return;
    this.#pacer = new Pacer(robot, now);
    this.#pacer.speed = checkedSpeed(speed);
    this.#live();
  }

  /** Takes a message; what is refused is answered, never thrown. */
  handle(message: ToRobot): void {
    this.#pacer?.catchUp();
    if (message.kind === "bytes") {
      this.#robot.receive(message.bytes);
      if (this.#robot.nextArrival !== undefined) this.#hasten();
      return;
    }
    const { id, request } = message;
    try {
      this.#obey(request);
      this.#send({ kind: "done", id });
    } catch (error) {
      const { code, detail } = problemOf(error);
      this.#send({ kind: "refused", id, code, detail });
    }
  }

  /** Moves on by so many simulated seconds. */
  advance(seconds: number): void {
    this.#robot.advanceTo(this.#robot.time + seconds);
    this.#report();
  }

  /** Stops the robot's time and gives its memory back. */
  stop(): void {
    this.#cancelBeat();
    this.#robot.free();
  }

  /** Bytes are on their way out: the next advance must not come late for them. */
  #hasten(): void {
    if (this.#pacer !== undefined) this.#beatIn(0);
  }

  #live(): void {
    if (this.#pacer?.speed === "max") {
      this.advance(UNPACED_SLICE);
      this.#beatIn(0);
      return;
    }
    this.#pacer?.catchUp();
    this.#report();
    const left = 1000 * (this.#robot.nextArrival ?? Number.POSITIVE_INFINITY);
    this.#beatIn(left < TIMER_SLACK ? 0 : Math.min(TICK, left - TIMER_SLACK));
  }

  /** Sets when the robot lives on; 0 ms is as soon as messages that wait are heard. */
  #beatIn(milliseconds: number): void {
    this.#cancelBeat();
    if (milliseconds === 0) {
      const beat = setImmediate(() => this.#live());
      this.#cancelBeat = () => clearImmediate(beat);
    } else {
      const beat = setTimeout(() => this.#live(), milliseconds);
      this.#cancelBeat = () => clearTimeout(beat);
    }
  }

  #obey(request: Request): void {
    const { physics } = this.#robot;
    if (request.kind === "push") physics.push(request.hand, request.push, request.seconds);
    else if (request.kind === "addObject") physics.addObject(request.object);
    else if (request.kind === "removeObject") removeObject(physics, request.name);
    else if (request.kind === "reset") this.#robot.reset();
    else if (request.kind === "setSpeed") this.#setSpeed(request.speed);
    else this.#watch(request.hz);
  }

  #setSpeed(speed: Speed): void {
    if (this.#pacer === undefined) throw new WorkbenchError("bad-request", "This robot has no clock to run faster by.");
    this.#pacer.speed = checkedSpeed(speed);
  }

  #watch(hz: number): void {
    if (!(hz >= 0 && hz <= MAX_WATCH)) {
      throw new WorkbenchError("bad-request", `Scenes come 0 to ${MAX_WATCH} times a second, not ${hz} times.`);
    }
    this.#scenePeriod = 1 / hz;
    this.#nextScene = this.#robot.time;
  }

  #report(): void {
    const { time, physics } = this.#robot;
    if (time >= this.#nextScene && this.#scenePeriod !== Number.POSITIVE_INFINITY) {
      this.#nextScene = Math.max(this.#nextScene + this.#scenePeriod, time);
      this.#send({ kind: "scene", scene: sceneOf(physics, time) });
    }
    if (physics.reseats > this.#reseats) this.#send({ kind: "event", event: { kind: "reseated" } });
    this.#reseats = physics.reseats;
    if (time < this.#nextLostTime) return;
    this.#nextLostTime = time + LOST_TIME_EVERY;
    const seconds = this.#pacer?.takeLost() ?? 0;
    if (seconds > 0) this.#send({ kind: "event", event: { kind: "lost-time", seconds } });
  }
}

function removeObject(physics: SimulatedRobot["physics"], name: string): void {
  if (physics.removeObject(name)) return;
  const names = physics.objects().map((object) => object.name);
  throw new WorkbenchError("bad-request", `There is no object "${name}"; there are: ${names.join(", ") || "none"}.`);
}

function checkedSpeed(speed: Speed): Speed {
  if (speed === "max" || (speed > 0 && speed <= MAX_SPEED)) return speed;
  throw new WorkbenchError("bad-request", `A speed is "max" or above 0 and at most ${MAX_SPEED}, not ${speed}.`);
}
