import { type ReadonlySignal, signal } from "@preact/signals";
import { Emitter, type Unsubscribe } from "../../../common/emitter.ts";
import type { ObjectsFrame } from "../../../robot/wire/scene/scene-frame.ts";

/** The objects on a simulated robot's table. Their poses change too often for signals; `onFrame` has them. */
export class ObjectsModel {
  readonly #names = signal<readonly string[]>([]);
  readonly #frames = new Emitter<ObjectsFrame>();
  latest: ObjectsFrame = { t: 0, objects: [] };

  get names(): ReadonlySignal<readonly string[]> {
    return this.#names;
  }

  receive(frame: ObjectsFrame): void {
    this.latest = frame;
    const names = frame.objects.map(({ name }) => name);
    const previous = this.#names.peek();
    if (names.length !== previous.length || names.some((name, i) => name !== previous[i])) this.#names.value = names;
    this.#frames.emit(frame);
  }

  /** Calls `listener` with the latest frame immediately and then with each new one. */
  onFrame(listener: (frame: ObjectsFrame) => void): Unsubscribe {
    listener(this.latest);
    return this.#frames.on(listener);
  }
}
