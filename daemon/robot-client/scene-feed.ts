import type { Unsubscribe } from "../../common/emitter.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import type { Simulation } from "./robot.ts";

/**
 * Shares the scenes of a simulated robot among listeners with different rates. The simulation produces scenes at the
 * highest rate that one of them asks for, and none while nobody listens.
 */
export class SceneFeed {
  readonly #simulation: Simulation;
  readonly #rates = new Set<{ readonly hz: number }>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** @param hz scenes per simulated second, 1 to 120; there may be more */
  listen(hz: number, listener: (scene: Scene) => void): Unsubscribe {
    const rate = { hz };
    this.#rates.add(rate);
    const unsubscribe = this.#simulation.onScene(listener);
    this.#update();
    return () => {
      if (!this.#rates.delete(rate)) return;
      unsubscribe();
      this.#update();
    };
  }

  #update(): void {
    const hz = Math.max(0, ...[...this.#rates].map((rate) => rate.hz));
    // Fails while the robot process is gone: nothing moves then, and clients learn it from the robot's state.
    this.#simulation.watch(hz).catch(() => {});
  }
}
