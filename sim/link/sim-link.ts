import { Emitter, type Unsubscribe } from "../../common/emitter.ts";
import type { ByteLink } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { InertialReading } from "../../robot/wire/robot/inertial-reading.ts";
import type { Pull, Push, SceneObject } from "../../robot/wire/scene/hand-act.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import type { SimulatedTime } from "../../robot/wire/scene/simulated-time.ts";
import type { SimulatedRobot } from "../robot.ts";
import type { TimeControl } from "../time/time-control.ts";
import type { Speed } from "./pacer.ts";
import { RobotHost, type SimEvent } from "./robot-host.ts";

/** A link to a simulated robot in this thread: its bytes, and calls to its simulated world. */
export class SimLink implements ByteLink {
  readonly name = "simulator";
  readonly #host: RobotHost;
  readonly #data = new Emitter<Uint8Array>();
  readonly #closed = new Emitter<Error | undefined>();
  readonly #scenes = new Emitter<Scene>();
  readonly #events = new Emitter<SimEvent>();
  #isOpen = true;

  /** @param now a monotonic clock in milliseconds for the robot's time; without one, only `advance` moves it */
  constructor(robot: SimulatedRobot, now?: () => number, speed?: Speed) {
    const listeners = {
      onScene: (scene: Scene) => this.#later(() => this.#scenes.emit(scene)),
      onEvent: (event: SimEvent) => this.#later(() => this.#events.emit(event)),
      onFailure: (failure: WorkbenchError) => this.#later(() => this.#end(failure)),
    };
    this.#host = new RobotHost(robot, listeners, now, speed);
  }

  write(bytes: Uint8Array): void {
    if (this.#isOpen) this.#host.receive(bytes);
  }

  /** Call with the robot's bytes. */
  receive(bytes: Uint8Array): void {
    this.#later(() => this.#data.emit(bytes));
  }

  /** Advances the robot by some simulated seconds. */
  advance(seconds: number): void {
    this.#host.advance(seconds);
  }

  onData(listener: (chunk: Uint8Array) => void): Unsubscribe {
    return this.#data.on(listener);
  }

  onClose(listener: (reason: Error | undefined) => void): Unsubscribe {
    return this.#closed.on(listener);
  }

  async close(): Promise<void> {
    this.#end(undefined);
  }

  /**
   * Pushes or pulls a body: newtons, or metres, in the world frame. `hand` names the push; another one with the same name
   * replaces it, `null` ends it, and it ends by itself after `seconds` of simulated time.
   * @throws WorkbenchError `bad-request` for a body that does not exist or numbers out of range
   */
  async push(hand: string, push: Push | Pull | null, seconds = 0.25): Promise<void> {
    this.#openHost().act(({ physics }) => physics.push(hand, push, seconds));
  }

  /** @throws WorkbenchError `bad-request` when the name is taken or a measure is out of range */
  async addObject(object: SceneObject): Promise<void> {
    this.#openHost().act(({ physics }) => physics.addObject(object));
  }

  /** @throws WorkbenchError `bad-request` when there is none of this name */
  async removeObject(name: string): Promise<void> {
    this.#openHost().act(({ physics }) => {
      if (physics.removeObject(name)) return;
      const names = physics.objects().map((object) => object.name);
      const known = names.join(", ") || "none";
      throw new WorkbenchError("bad-request", `There is no object "${name}"; there are: ${known}.`);
    });
  }

  /** Restarts the robot in its initial posture and removes all objects. */
  async reset(): Promise<void> {
    this.#openHost().act((robot) => robot.reset());
  }

  /**
   * Sends scenes to the listeners of `onScene`. @param hz scenes per simulated second, 0 to 120
   * @throws WorkbenchError `bad-request` for another number
   */
  async watch(hz: number): Promise<void> {
    this.#openHost().watch(hz);
  }

  /** The robot's time. */
  async time(): Promise<SimulatedTime> {
    return this.#controlTime(() => undefined);
  }

  /** Keeps the last 30 s of the robot from now on, so that it can be rewound, or forgets them. */
  async keepHistory(kept: boolean): Promise<SimulatedTime> {
    return this.#controlTime((time) => time.keep(kept));
  }

  async pause(): Promise<SimulatedTime> {
    return this.#controlTime((time) => time.pause());
  }

  /** @throws WorkbenchError `bad-request` for a speed out of range */
  async resume(speed?: number): Promise<SimulatedTime> {
    return this.#controlTime((time) => time.resume(speed));
  }

  /** @throws WorkbenchError `bad-request` for seconds out of range */
  async step(seconds: number): Promise<SimulatedTime> {
    return this.#controlTime((time) => time.step(seconds));
  }

  /**
   * @param moment a simulated time, or seconds ago
   * @throws WorkbenchError `bad-request` for a moment that is not kept
   */
  async rewind(moment: { readonly to: number } | { readonly seconds: number }): Promise<SimulatedTime> {
    return this.#controlTime((time) => time.rewind("to" in moment ? moment.to : time.state.time - moment.seconds));
  }

  /** Factor to real time at this moment, 0 while paused, and how often the robot was rewound. */
  get robotTime(): { readonly factor: number; readonly rewinds: number } {
    return this.#host.time;
  }

  #controlTime(change: (time: TimeControl) => void): SimulatedTime {
    const { time } = this.#openHost();
    return this.#openHost().act(() => {
      change(time);
      return time.state;
    });
  }

  /** What the inertial sensor measures now; null for a robot without one. */
  async readInertialSensor(): Promise<InertialReading | null> {
    return this.#openHost().act(({ inertialSensor }) => inertialSensor?.read() ?? null);
  }

  onScene(listener: (scene: Scene) => void): Unsubscribe {
    return this.#scenes.on(listener);
  }

  onEvent(listener: (event: SimEvent) => void): Unsubscribe {
    return this.#events.on(listener);
  }

  /** @throws WorkbenchError `robot-not-ready` after the link has closed */
  #openHost(): RobotHost {
    if (this.#isOpen) return this.#host;
    throw new WorkbenchError("robot-not-ready", "The link to the simulated robot is closed; open another.");
  }

  /** In a microtask of its own, as from any other link: the caller has finished what it does. */
  #later(emit: () => void): void {
    queueMicrotask(() => {
      if (this.#isOpen) emit();
    });
  }

  #end(reason: Error | undefined): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#host.stop();
    } catch (error) {
      // A failed engine may refuse to be freed, too.
      if (reason === undefined) throw error;
    } finally {
      this.#closed.emit(reason);
    }
  }
}
