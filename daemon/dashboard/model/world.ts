import { type ReadonlySignal, signal } from "@preact/signals";
import type { ObjectsFrame } from "../../../robot/wire/objects-frame.ts";

/** The objects on a simulated robot's table. Where they are is too fast for signals: it goes to `onFrame`. */
export class WorldModel {
  readonly #names = signal<readonly string[]>([]);
  readonly #listeners = new Set<(frame: ObjectsFrame) => void>();
  latest: ObjectsFrame = { t: 0, objects: [] };

  get names(): ReadonlySignal<readonly string[]> {
    return this.#names;
  }

  receive(frame: ObjectsFrame): void {
    this.latest = frame;
    const names = frame.objects.map(({ name }) => name);
    const shown = this.#names.peek();
    if (names.length !== shown.length || names.some((name, i) => name !== shown[i])) this.#names.value = names;
    for (const listener of this.#listeners) listener(frame);
  }

  onFrame(listener: (frame: ObjectsFrame) => void): () => void {
    this.#listeners.add(listener);
    listener(this.latest);
    return () => this.#listeners.delete(listener);
  }
}
