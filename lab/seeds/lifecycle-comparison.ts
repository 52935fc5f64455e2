import type { AppHost } from "../../daemon/apps/app-host.ts";
import type { Robot } from "../../daemon/robot-client/robot.ts";
import { type LifecycleLogCheck, LifecycleModel } from "../../daemon/testing/lifecycle/check-log.ts";
import type { LifecycleEvent } from "../../daemon/testing/lifecycle/lifecycle-events.ts";
import { observeLifecycle } from "../../daemon/testing/lifecycle/observe-lifecycle.ts";

/** What it has computed once serves all seeds of this process. */
const model = new LifecycleModel();

const STOP = "/api/apps/stop-current-app";
const SLEEP = "/api/move/play/goto_sleep";

/** Compares what a system's daemons do with the model of the lifecycle. Each daemon has a log of its own. */
export class LifecycleComparison {
  readonly #onContradiction: (what: string) => void;
  /** Of the daemon that runs; null after a contradiction, and after its end. */
  #log: LifecycleLogCheck | null = null;

  constructor(onContradiction: (what: string) => void) {
    this.#onContradiction = onContradiction;
  }

  /** A daemon hosts apps. Its robot sleeps, or is not connected. */
  daemonStarted(robot: Robot, apps: AppHost): void {
    const log = model.begin({ startupApp: apps.startupApp.name, seesRequests: true, isAwake: false });
    this.#log = log;
    this.#add({ kind: "robot", event: { kind: "phase", data: { phase: robot.state.phase } } });
    observeLifecycle(robot, apps, (event) => void (this.#log === log && this.#add(event)));
  }

  /**
   * A request is about to be handled.
   * @param slotIsBusy sleep stops the app, if there is one
   * @returns to be called when it has been handled
   */
  requestSent(path: string, slotIsBusy: boolean): (isAccepted: boolean) => void {
    if (path !== STOP && !(path === SLEEP && slotIsBusy)) return () => {};
    const log = this.#log;
    this.#add({ kind: "stop-requested" });
    return (isAccepted) => {
      if (this.#log === log) this.#add({ kind: path === STOP && isAccepted ? "stop-answered" : "stop-refused" });
    };
  }

  shutdownRequested(): void {
    this.#add({ kind: "shutdown-requested" });
  }

  closed(): void {
    this.#add({ kind: "closed" });
    this.#log = null;
  }

  #add(event: LifecycleEvent): void {
    const contradiction = this.#log?.accept([event]) ?? null;
    if (contradiction === null) return;
    this.#log = null;
    this.#onContradiction(contradiction);
  }
}
