import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import type { Scene } from "../../robot/wire/objects-frame.ts";
import type { MotorMode } from "../../robot/wire/robot.ts";
import { Listeners } from "./listeners.ts";
import type { Call, CallName, Channel, Report, Request, Tell, WorldCall } from "./messages.ts";
import { PendingCalls } from "./pending-calls.ts";
import type { GotoRequest, MoveOutcome, Robot, RobotEvent, RobotState, Simulation, Target } from "./robot.ts";

/** Milliseconds until a call without an answer fails. */
const CALL_MS = 5000;
/** Wake-up, sleep and return last some seconds each. */
const CHOREOGRAPHY_MS = 15_000;

export interface ClientOptions {
  channel: Channel<Report, Request>;
  /** The robot as it was last known, so that there always is a state. */
  state: RobotState;
  /** Whether there is a world to ask. */
  simulated: boolean;
  /** Told how the other process ended before it was closed; gives the sentence that calls are refused with from then on. */
  onLost(how: string): string;
}

/** The robot in another process. Every call has a deadline; when the other process goes, all of them reject. */
export class RobotClient implements Robot {
  state: RobotState;
  readonly simulation: Simulation | undefined;
  readonly #channel: Channel<Report, Request>;
  readonly #onLost: (how: string) => string;
  readonly #calls = new PendingCalls();
  readonly #states = new Listeners<RobotState>();
  readonly #events = new Listeners<RobotEvent>();
  readonly #scenes = new Listeners<Scene>();

  constructor({ channel, state, simulated, onLost }: ClientOptions) {
    this.#channel = channel;
    this.#onLost = onLost;
    this.state = state;
    this.simulation = simulated ? this.#world() : undefined;
    channel.onMessage((report) => this.#receive(report));
    channel.onClose((how) => this.#lose(how));
  }

  onState(listener: (state: RobotState) => void): Unsubscribe {
    return this.#states.add(listener);
  }

  onEvent(listener: (event: RobotEvent) => void): Unsubscribe {
    return this.#events.add(listener);
  }

  setTarget(target: Target): void {
    this.#tell({ method: "setTarget", args: [target] });
  }

  setAutomaticBodyYaw(enabled: boolean): void {
    this.#tell({ method: "setAutomaticBodyYaw", args: [enabled] });
  }

  guardApp(group: { pid: number } | null): void {
    this.#tell({ method: "guardApp", args: [group] });
  }

  goto(request: GotoRequest, id?: string): Promise<MoveOutcome> {
    return this.#call<"goto">({ method: "goto", args: [request, id] }, CALL_MS + 1000 * request.duration);
  }

  wakeUp(id?: string): Promise<MoveOutcome> {
    return this.#call<"wakeUp">({ method: "wakeUp", args: [id] }, CHOREOGRAPHY_MS);
  }

  goToSleep(id?: string): Promise<MoveOutcome> {
    return this.#call<"goToSleep">({ method: "goToSleep", args: [id] }, CHOREOGRAPHY_MS);
  }

  returnToDefault(): Promise<MoveOutcome> {
    return this.#call<"returnToDefault">({ method: "returnToDefault", args: [] }, CHOREOGRAPHY_MS);
  }

  cancelMove(id?: string): Promise<boolean> {
    return this.#call<"cancelMove">({ method: "cancelMove", args: [id] });
  }

  setMotorMode(mode: MotorMode): Promise<void> {
    return this.#call<"setMotorMode">({ method: "setMotorMode", args: [mode] });
  }

  setTorque(on: boolean, joints: readonly string[] | null): Promise<void> {
    return this.#call<"setTorque">({ method: "setTorque", args: [on, joints] });
  }

  close(): Promise<void> {
    return this.#call<"close">({ method: "close", args: [] }, CHOREOGRAPHY_MS);
  }

  #tell(message: Tell): void {
    this.#channel.send({ kind: "tell", ...message });
  }

  #call<M extends CallName>(call: Call & { method: M }, deadlineMs = CALL_MS): ReturnType<Robot[M]> {
    const answer = this.#calls.ask(call.method, deadlineMs, (number) => {
      this.#channel.send({ kind: "call", number, ...call } as Request);
    });
    return answer as ReturnType<Robot[M]>;
  }

  #world(): Simulation {
    const ask = async (call: WorldCall): Promise<void> => {
      await this.#calls.ask(call.method, CALL_MS, (number) => this.#channel.send({ kind: "world", number, ...call }));
    };
    return {
      push: (...args) => ask({ method: "push", args }),
      addObject: (...args) => ask({ method: "addObject", args }),
      removeObject: (...args) => ask({ method: "removeObject", args }),
      reset: (...args) => ask({ method: "reset", args }),
      setSpeed: (...args) => ask({ method: "setSpeed", args }),
      watch: (...args) => ask({ method: "watch", args }),
      onScene: (listener) => this.#scenes.add(listener),
    };
  }

  #receive(report: Report): void {
    if (report.kind === "state") {
      this.state = report.state;
      this.#states.tell(report.state);
    } else if (report.kind === "event") this.#events.tell(report.event);
    else if (report.kind === "scene") this.#scenes.tell(report.scene);
    else this.#calls.settle(report);
  }

  #lose(how: string): void {
    this.#calls.close(this.state.phase === "stopped" ? how : this.#onLost(how));
  }
}
