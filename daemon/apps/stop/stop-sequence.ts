import { type Machine, sendSignal } from "../../../common/machine/machine.ts";
import { type ProcessTree, signalProcesses } from "../../../common/machine/process-tree.ts";
import type { Clock } from "../../../common/time/clock.ts";

/** Milliseconds between two SIGINTs to an app that may not have received the first one. */
const REPEAT_MS = 1000;
/**
 * The part of the grace period between two SIGINTs to an app that has not connected within three seconds: it may have no SDK
 * and be cleaning up after the first one.
 */
const LATE_REPEAT_PART = 0.5;
/** Milliseconds until a lost SIGINT is repeated: by then Python has entered the call that it waits in next. */
const LOST_REPEAT_MS = 100;
/** Milliseconds from SIGTERM to SIGKILL. */
const TERM_MS = 1000;
/** Milliseconds after SIGKILL until the daemon stops waiting for a process that is stuck inside the kernel. */
const KILL_MS = 5000;

/**
 * Stops an app whose main process runs: SIGINT to the main process only, which sets its stop event; after the grace
 * period SIGTERM and then SIGKILL to all processes of the app.
 */
export class StopSequence {
  readonly #mainPid: number;
  readonly #tree: ProcessTree;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #machine: Machine;
  #cancelTimer: (() => void) | null = null;
  /** Set while SIGINT is repeated. */
  #cancelRepeat: (() => void) | null = null;
  #isConnected = false;
  #hasExited = false;
  #forced = false;
  #giveUp = (_: { code: null; signal: null }) => {};
  /** Settles when the main process survives even SIGKILL. */
  readonly gaveUp = new Promise<{ code: null; signal: null }>((resolve) => {
    this.#giveUp = resolve;
  });

  constructor(mainPid: number, tree: ProcessTree, clock: Clock, graceMs: number, machine: Machine) {
    this.#mainPid = mainPid;
    this.#tree = tree;
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#machine = machine;
  }

  /** True when SIGINT alone was not enough. */
  get forced(): boolean {
    return this.#forced;
  }

  /**
   * Starts the sequence; does nothing the second time. An app that has not connected gets SIGINT repeatedly, because
   * Python loses one that arrives at some moments of an import.
   * @param isStarting whether the app may still connect: it started less than three seconds ago
   */
  stop(isStarting: boolean): void {
    if (this.#cancelTimer !== null) return;
    if (this.#isConnected) this.#interrupt(null);
    else this.#interrupt(isStarting ? REPEAT_MS : this.#graceMs * LATE_REPEAT_PART);
    this.#after(this.#graceMs, () => this.#terminate());
  }

  /** The app's Python has lost a SIGINT: it gets another one, if the app is being stopped. */
  interruptLost(): void {
    this.#clock.after(LOST_REPEAT_MS, () => {
      const isInterrupting = this.#cancelTimer !== null && !this.#forced && !this.#hasExited;
      if (isInterrupting) sendSignal(this.#mainPid, "SIGINT", this.#machine);
    });
  }

  /** The app has connected, so its own handler is in place: a stop under way needs one more SIGINT at most. */
  connected(): void {
    this.#isConnected = true;
    if (this.#cancelRepeat === null) return;
    this.#cancelRepeat();
    this.#cancelRepeat = this.#clock.after(REPEAT_MS, () => this.#interrupt(null));
  }

  /** Ends the sequence: no signal is sent any more. */
  mainProcessExited(): void {
    this.#hasExited = true;
    this.#cancelRepeat?.();
    this.#cancelTimer?.();
    this.#cancelTimer = () => {};
  }

  /** @param repeatMs milliseconds to the next SIGINT; null for none */
  #interrupt(repeatMs: number | null): void {
    sendSignal(this.#mainPid, "SIGINT", this.#machine);
    this.#cancelRepeat = repeatMs === null ? null : this.#clock.after(repeatMs, () => this.#interrupt(repeatMs));
  }

  #terminate(): void {
    this.#cancelRepeat?.();
    this.#cancelRepeat = null;
    this.#forced = true;
    void signalProcesses(this.#tree, "SIGTERM", this.#machine);
    this.#after(TERM_MS, () => this.#kill());
  }

  #kill(): void {
    void signalProcesses(this.#tree, "SIGKILL", this.#machine);
    this.#after(KILL_MS, () => this.#giveUp({ code: null, signal: null }));
  }

  #after(milliseconds: number, step: () => void): void {
    this.#cancelTimer = this.#clock.after(milliseconds, step);
  }
}
