import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { Listeners } from "./listeners.ts";
import type { Simulation } from "./robot.ts";

type Scene = Parameters<Parameters<Simulation["onScene"]>[0]>[0];

/** The world around a simulated robot that outlives its process. Each process has a world of its own, without objects. */
export class LastingWorld implements Simulation {
  readonly scenes = new Listeners<Scene>();
  readonly #present: () => Simulation | undefined;
  #speed: number | "max" | undefined;
  #hz: number | undefined;

  /** @param present the world of the present process */
  constructor(present: () => Simulation | undefined) {
    this.#present = present;
  }

  async push(...args: Parameters<Simulation["push"]>): Promise<void> {
    await this.#world().push(...args);
  }

  async addObject(...args: Parameters<Simulation["addObject"]>): Promise<void> {
    await this.#world().addObject(...args);
  }

  async removeObject(name: string): Promise<void> {
    await this.#world().removeObject(name);
  }

  async reset(): Promise<void> {
    await this.#world().reset();
  }

  async setSpeed(speed: number | "max"): Promise<void> {
    await this.#world().setSpeed(speed);
    this.#speed = speed;
  }

  async watch(hz: number): Promise<void> {
    this.#hz = hz;
    await this.#world().watch(hz);
  }

  onScene(listener: (scene: Scene) => void): Unsubscribe {
    return this.scenes.add(listener);
  }

  /** Gives another process's world, if there is one, the speed and the observers of the one before. Never rejects. */
  async restore(): Promise<void> {
    const world = this.#present();
    if (world === undefined) return;
    const wishes = [
      this.#speed === undefined ? undefined : world.setSpeed(this.#speed),
      this.#hz === undefined ? undefined : world.watch(this.#hz),
    ];
    await Promise.allSettled(wishes);
  }

  #world(): Simulation {
    const world = this.#present();
    if (world !== undefined) return world;
    throw new WorkbenchError("robot-not-ready", "This robot is not simulated.");
  }
}
