import { Emitter, type Unsubscribe } from "../../common/emitter.ts";
import type { ByteLink } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { InertialReading } from "../../robot/wire/robot/inertial-reading.ts";
import type { Pull, Push, SceneObject } from "../../robot/wire/scene/hand-act.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import type { MessageFromRobot, MessageToRobot, SimEvent, SimRequest } from "./messages.ts";

/** Connection to the robot's end. */
interface RobotPort {
  post(message: MessageToRobot): void;
  close(): Promise<void>;
}

/** Milliseconds until a request without a reply fails. */
const ANSWER_DEADLINE_MS = 5000;

interface Pending {
  resolve(inertial: InertialReading | null): void;
  reject(error: Error): void;
  deadline: NodeJS.Timeout;
}

/** The caller's end of a link to a simulated robot: its bytes, and requests to its simulated world. */
export class SimLink implements ByteLink {
  readonly name = "simulator";
  readonly #port: RobotPort;
  readonly #data = new Emitter<Uint8Array>();
  readonly #closed = new Emitter<Error | undefined>();
  readonly #scenes = new Emitter<Scene>();
  readonly #events = new Emitter<SimEvent>();
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #isOpen = true;

  constructor(port: RobotPort) {
    this.#port = port;
  }

  write(bytes: Uint8Array): void {
    if (this.#isOpen) this.#port.post({ kind: "bytes", bytes });
  }

  onData(listener: (chunk: Uint8Array) => void): Unsubscribe {
    return this.#data.on(listener);
  }

  onClose(listener: (reason: Error | undefined) => void): Unsubscribe {
    return this.#closed.on(listener);
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    const closing = this.#port.close();
    this.end(undefined);
    await closing;
  }

  /**
   * Pushes or pulls a body: newtons, or metres, in the world frame. `hand` names the push; another one with the same name
   * replaces it, `null` ends it, and it ends by itself after `seconds` of simulated time.
   * @throws WorkbenchError `bad-request` for a body that does not exist or numbers out of range
   */
  async push(hand: string, push: Push | Pull | null, seconds = 0.25): Promise<void> {
    await this.#request({ kind: "push", hand, push, seconds });
  }

  /** @throws WorkbenchError `bad-request` when the name is taken or a measure is out of range */
  async addObject(object: SceneObject): Promise<void> {
    await this.#request({ kind: "addObject", object });
  }

  /** @throws WorkbenchError `bad-request` when there is none of this name */
  async removeObject(name: string): Promise<void> {
    await this.#request({ kind: "removeObject", name });
  }

  /** Restarts the robot in its initial posture and removes all objects. */
  async reset(): Promise<void> {
    await this.#request({ kind: "reset" });
  }

  /** Sends scenes to the listeners of `onScene`. @param hz scenes per simulated second, 0 to 120 */
  async watch(hz: number): Promise<void> {
    await this.#request({ kind: "watch", hz });
  }

  /** What the inertial sensor measures now; null for a robot without one. */
  readInertialSensor(): Promise<InertialReading | null> {
    return this.#request({ kind: "readInertialSensor" });
  }

  onScene(listener: (scene: Scene) => void): Unsubscribe {
    return this.#scenes.on(listener);
  }

  onEvent(listener: (event: SimEvent) => void): Unsubscribe {
    return this.#events.on(listener);
  }

  /** Handles a message from the robot's end. */
  receive(message: MessageFromRobot): void {
    if (!this.#isOpen) return;
    if (message.kind === "bytes") this.#data.emit(message.bytes);
    else if (message.kind === "scene") this.#scenes.emit(message.scene);
    else if (message.kind === "event") this.#events.emit(message.event);
    else if (message.kind === "failed") this.#fail(message.error);
    else if (message.kind === "done") this.#settle(message.id)?.resolve(message.inertial ?? null);
    else if (message.kind === "refused") {
      this.#settle(message.id)?.reject(new WorkbenchError(message.code, message.detail));
    }
  }

  /** Closes the link because the robot's end has ended. @param reason undefined when the end was requested */
  end(reason: Error | undefined): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(reason ?? closedError());
    this.#closed.emit(reason);
  }

  #fail(cause: unknown): void {
    const why = cause instanceof Error ? cause.message : String(cause);
    // The link is closed then, so nobody else frees the robot; a failed engine may refuse that, too.
    void this.#port.close().catch(() => undefined);
    this.end(new WorkbenchError("robot-not-ready", `The simulated robot stopped: ${why}`, { cause }));
  }

  #request(request: SimRequest): Promise<InertialReading | null> {
    if (!this.#isOpen) return Promise.reject(closedError());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        const what = `The simulated robot did not reply to a ${request.kind} request within ${ANSWER_DEADLINE_MS / 1000} s.`;
        this.#settle(id)?.reject(new WorkbenchError("deadline-passed", what));
      }, ANSWER_DEADLINE_MS);
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
