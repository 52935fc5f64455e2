import type { Unsubscribe } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { Listeners } from "./listeners.ts";
import { CALLS, type CallName, type Channel, type Report, type Request, type Tell } from "./messages.ts";
import type { GotoRequest, MoveOutcome, Robot, RobotEvent, RobotState, Target } from "./robot.ts";

interface Pending {
  settle: (report: Report) => void;
  fail: (error: Error) => void;
}

/** The robot in another process. Every call has a deadline; when the other end goes, all of them reject. */
export class RobotClient implements Robot {
  state: RobotState;
  readonly #channel: Channel<Report, Request>;
  readonly #states = new Listeners<RobotState>();
  readonly #events = new Listeners<RobotEvent>();
  readonly #pending = new Map<number, Pending>();
  #number = 0;
  #gone: string | undefined;

  /** @param state the first state, so that there is always one */
  constructor(channel: Channel<Report, Request>, state: RobotState) {
    this.#channel = channel;
    this.state = state;
    channel.onMessage((report) => this.#receive(report));
    channel.onClose((reason) => this.#lose(reason));
  }

  onState(listener: (state: RobotState) => void): Unsubscribe {
    return this.#states.add(listener);
  }

  onEvent(listener: (event: RobotEvent) => void): Unsubscribe {
    return this.#events.add(listener);
  }

  setTarget(target: Target): void {
    this.#tell({ kind: "tell", method: "setTarget", args: [target] });
  }

  setAutomaticBodyYaw(enabled: boolean): void {
    this.#tell({ kind: "tell", method: "setAutomaticBodyYaw", args: [enabled] });
  }

  guardApp(group: { pid: number } | null): void {
    this.#tell({ kind: "tell", method: "guardApp", args: [group] });
  }

  goto(request: GotoRequest, id?: string): Promise<MoveOutcome> {
    return this.#call("goto", CALLS.goto(request), [request, id]);
  }

  wakeUp(id?: string): Promise<MoveOutcome> {
    return this.#call("wakeUp", CALLS.wakeUp(), [id]);
  }

  goToSleep(id?: string): Promise<MoveOutcome> {
    return this.#call("goToSleep", CALLS.goToSleep(), [id]);
  }

  returnToDefault(): Promise<MoveOutcome> {
    return this.#call("returnToDefault", CALLS.returnToDefault(), []);
  }

  cancelMove(id?: string): Promise<boolean> {
    return this.#call("cancelMove", CALLS.cancelMove(), [id]);
  }

  setMotorMode(mode: RobotState["motorMode"]): Promise<void> {
    return this.#call("setMotorMode", CALLS.setMotorMode(), [mode]);
  }

  setTorque(on: boolean, joints: readonly string[] | null): Promise<void> {
    return this.#call("setTorque", CALLS.setTorque(), [on, joints]);
  }

  async close(): Promise<void> {
    if (this.#gone === undefined) await this.#call("close", CALLS.close(), []);
  }

  #tell(message: Tell): void {
    if (this.#gone === undefined) this.#channel.send(message);
  }

  #call<M extends CallName>(method: M, deadlineMs: number, args: Parameters<Robot[M]>): ReturnType<Robot[M]> {
    const answer = new Promise<unknown>((resolve, reject) => {
      if (this.#gone !== undefined) throw new WorkbenchError("robot-not-ready", this.#gone);
      const number = ++this.#number;
      const done = (): void => {
        clearTimeout(timer);
        this.#pending.delete(number);
      };
      const fail = (error: Error): void => {
        done();
        reject(error);
      };
      const timer = setTimeout(() => {
        fail(
          new WorkbenchError("deadline-passed", `The robot did not answer ${method} within ${deadlineMs / 1000} s.`),
        );
      }, deadlineMs);
      const settle = (report: Report): void => {
        if (report.kind === "refusal") fail(new WorkbenchError(report.code, report.detail));
        else if (report.kind === "answer") {
          done();
          resolve(report.value);
        }
      };
      this.#pending.set(number, { settle, fail });
      this.#channel.send({ kind: "call", number, method, args } as Request);
    });
    return answer as ReturnType<Robot[M]>;
  }

  #receive(report: Report): void {
    if (report.kind === "state") {
      this.state = report.state;
      this.#states.tell(report.state);
    } else if (report.kind === "event") this.#events.tell(report.event);
    else this.#pending.get(report.number)?.settle(report);
  }

  #lose(reason: string): void {
    this.#gone = reason;
    for (const { fail } of this.#pending.values()) fail(new WorkbenchError("robot-not-ready", reason));
    this.state = {
      ...this.state,
      phase: this.state.phase === "stopped" ? "stopped" : "error",
      move: null,
      error: reason,
    };
    this.#states.tell(this.state);
    if (this.state.phase === "error") {
      this.#events.tell({ kind: "phase", level: "error", message: reason, data: { phase: "error" } });
    }
  }
}
