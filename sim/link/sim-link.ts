import type { ByteLink, Unsubscribe } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Scene } from "../../robot/wire/objects-frame.ts";
import type { Pull, Push, SceneObject } from "../../robot/wire/scene.ts";
import type { FromRobot, Request, SimEvent, Speed, ToRobot } from "./messages.ts";

/** How messages get to the robot's end. */
export interface Port {
  post(message: ToRobot): void;
  close(): Promise<void>;
}

/** Milliseconds until a request without an answer fails; only a robot that is gone takes so long. */
const ANSWER_DEADLINE = 5000;

interface Pending {
  resolve(): void;
  reject(error: Error): void;
  deadline: NodeJS.Timeout;
}

/** The near end of a link to a simulated robot: its bytes, and the world that it stands in. */
export class SimLink implements ByteLink {
  readonly name = "simulator";
  readonly #port: Port;
  readonly #data = new Set<(chunk: Uint8Array) => void>();
  readonly #closed = new Set<(reason: Error | undefined) => void>();
  readonly #scenes = new Set<(scene: Scene) => void>();
  readonly #events = new Set<(event: SimEvent) => void>();
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #isOpen = true;

  constructor(port: Port) {
    this.#port = port;
  }

  write(bytes: Uint8Array): void {
    if (this.#isOpen) this.#port.post({ kind: "bytes", bytes });
  }

  onData(listener: (chunk: Uint8Array) => void): Unsubscribe {
    return subscribe(this.#data, listener);
  }

  onClose(listener: (reason: Error | undefined) => void): Unsubscribe {
    return subscribe(this.#closed, listener);
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    const closing = this.#port.close();
    this.end(undefined);
    await closing;
  }

  /**
   * Pushes or pulls (or, with null, lets go) with a named hand: newtons, or metres, in the world frame. A hand that is not
   * heard of again lets go after so many simulated seconds.
   * @throws WorkbenchError `bad-request` for a body that does not exist or numbers out of range
   */
  push(hand: string, push: Push | Pull | null, seconds = 0.25): Promise<void> {
    return this.#ask({ kind: "push", hand, push, seconds });
  }

  /** @throws WorkbenchError `bad-request` when the name is taken or a measure is out of range */
  addObject(object: SceneObject): Promise<void> {
    return this.#ask({ kind: "addObject", object });
  }

  /** @throws WorkbenchError `bad-request` when there is none of this name */
  removeObject(name: string): Promise<void> {
    return this.#ask({ kind: "removeObject", name });
  }

  /** Unplugs the robot, puts it back to sleep where it started, takes the objects away and plugs it in again. */
  reset(): Promise<void> {
    return this.#ask({ kind: "reset" });
  }

  /** Times real time, above 0 and at most 100, or as fast as it can. */
  setSpeed(speed: Speed): Promise<void> {
    return this.#ask({ kind: "setSpeed", speed });
  }

  /** Asks for this many scenes a simulated second, 0 to 120; they go to the listeners of `onScene`. */
  watch(hz: number): Promise<void> {
    return this.#ask({ kind: "watch", hz });
  }

  onScene(listener: (scene: Scene) => void): Unsubscribe {
    return subscribe(this.#scenes, listener);
  }

  onEvent(listener: (event: SimEvent) => void): Unsubscribe {
    return subscribe(this.#events, listener);
  }

  /** A message from the robot's end. */
  receive(message: FromRobot): void {
    if (!this.#isOpen) return;
    if (message.kind === "bytes") for (const listener of this.#data) listener(message.bytes);
    else if (message.kind === "scene") for (const listener of this.#scenes) listener(message.scene);
    else if (message.kind === "event") for (const listener of this.#events) listener(message.event);
    else if (message.kind === "done") this.#settle(message.id)?.resolve();
    else if (message.kind === "refused") {
      this.#settle(message.id)?.reject(new WorkbenchError(message.code, message.detail));
    }
  }

  /** The robot's end is gone: with an error when that was not asked for. */
  end(reason: Error | undefined): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(reason ?? closedError());
    for (const listener of this.#closed) listener(reason);
  }

  #ask(request: Request): Promise<void> {
    if (!this.#isOpen) return Promise.reject(closedError());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        const what = `The simulated robot did not answer a ${request.kind} request within ${ANSWER_DEADLINE / 1000} s.`;
        this.#settle(id)?.reject(new WorkbenchError("deadline-passed", what));
      }, ANSWER_DEADLINE);
      this.#pending.set(id, { resolve, reject, deadline });
      this.#port.post({ kind: "request", id, request });
    });
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.deadline);
    return pending;
  }
}

const closedError = () =>
  new WorkbenchError("robot-not-ready", "The link to the simulated robot is closed; open another.");

function subscribe<T>(listeners: Set<T>, listener: T): Unsubscribe {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
