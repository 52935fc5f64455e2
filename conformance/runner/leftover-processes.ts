import { sendSignal } from "../../common/machine/process-tree.ts";
import { findOrphans, type Orphan } from "./orphans.ts";

/** The children of this process that belong to the harness, or to the sandboxes of the app. */
interface KnownProcesses {
  /** Of the harness. */
  own(): readonly number[];
  /** Of the sandboxes. */
  wrappers(): readonly number[];
}

/** The processes of an app that are left in a lane after its exit. */
export class LeftoverProcesses {
  readonly #known: KnownProcesses;

  constructor(known: KnownProcesses) {
    this.#known = known;
  }

  /** The app's own. */
  find(): Orphan[] {
    const wrappers = this.#known.wrappers();
    return this.#strangers().filter(({ pid }) => !wrappers.includes(pid));
  }

  /** Kills the app's own, and returns their commands. */
  kill(): string[] {
    return this.find().map(({ pid, command }) => {
      sendSignal(pid, "SIGKILL");
      return command;
    });
  }

  /** Kills the processes of sandboxes whose app has ended, too. */
  endSandboxes(): void {
    for (const { pid } of this.#strangers()) sendSignal(pid, "SIGKILL");
  }

  #strangers(): Orphan[] {
    return findOrphans(this.#known.own());
  }
}
