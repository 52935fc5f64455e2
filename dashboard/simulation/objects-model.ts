import { type ReadonlySignal, signal } from "@preact/signals";
import { Emitter, type Unsubscribe } from "../../common/emitter.ts";
import type { DrawnObject, ObjectsFrame } from "../../robot/wire/scene/scene-frame.ts";

/** The objects on a simulated robot's table. Their poses change too often for signals; `onFrame` has them. */
export class ObjectsModel {
  readonly #list = signal<readonly DrawnObject[]>([]);
  /** Changes when one of them appears, disappears or changes its look. */
  readonly list: ReadonlySignal<readonly Pick<DrawnObject, "name" | "color">[]> = this.#list;
  readonly #frames = new Emitter<ObjectsFrame>();
  latest: ObjectsFrame = { t: 0, objects: [] };

  receive(frame: ObjectsFrame): void {
    this.latest = frame;
    const previous = this.#list.peek();
    const isKept = ({ name, color }: DrawnObject, i: number) =>
      previous[i]?.name === name && previous[i].color === color;
    if (frame.objects.length !== previous.length || !frame.objects.every(isKept)) this.#list.value = frame.objects;
    this.#frames.emit(frame);
  }

  /** Calls `listener` with the latest frame immediately and then with each new one. */
  onFrame(listener: (frame: ObjectsFrame) => void): Unsubscribe {
    listener(this.latest);
    return this.#frames.on(listener);
  }
}
