import { WorkbenchError } from "../../../robot/wire/errors.ts";

const RETURNS_LATER = "It returns to its default pose when it is connected again.";

/**
 * The app that moves the robot, and the return to the default pose that the robot owes after it: until the robot has
 * returned, or something newer moves it. Nothing else in the daemon remembers such a return.
 */
export class AppSession {
  readonly #setNote: (note: string | null) => void;
  #group: { pid: number } | null = null;
  #isReturnOwed: boolean;

  /**
   * @param isReturnOwed whether the process before this one was lost with a return owed
   * @param setNote sets what the robot's errors say about a later return
   */
  constructor(isReturnOwed: boolean, setNote: (note: string | null) => void) {
    this.#isReturnOwed = isReturnOwed;
    this.#setNote = setNote;
    if (isReturnOwed) setNote(RETURNS_LATER);
  }

  /** The process group to end should the main process disappear; null when no app moves the robot. */
  get group(): { pid: number } | null {
    return this.#group;
  }

  get isReturnOwed(): boolean {
    return this.#isReturnOwed;
  }

  /** From here on the app moves the robot. */
  begin(group: { pid: number }): void {
    this.#group = group;
    this.settle();
  }

  end(): void {
    this.#group = null;
    this.#isReturnOwed = true;
    this.#setNote(null);
  }

  /** The robot has returned, or something newer moves it. */
  settle(): void {
    this.#isReturnOwed = false;
    this.#setNote(null);
  }

  /** The error of a return that failed; when the robot was not connected, it says that the robot returns later. */
  explain(error: unknown): unknown {
    if (!(error instanceof WorkbenchError) || error.code !== "robot-not-ready") return error;
    if (this.#isReturnOwed) this.#setNote(RETURNS_LATER);
    return new WorkbenchError("robot-not-ready", `${error.message} ${RETURNS_LATER}`);
  }
}
