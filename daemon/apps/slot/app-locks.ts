import { normaliseName } from "../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** Keeps an app from running while it is installed or removed, and from being installed or removed while it runs. */
export class AppLocks {
  /** An app that is restarted is there twice for a while. */
  readonly #running = new Set<{ key: string; name: string }>();
  readonly #changing = new Set<string>();

  /** Locks an app that is about to run. @returns releases the lock @throws WorkbenchError `app-busy` */
  lockToRun(name: string): () => void {
    const key = normaliseName(name);
    if (this.#changing.has(key)) {
      throw new WorkbenchError("app-busy", `${name} is being installed or removed; wait for the job to end.`);
    }
    const lock = { key, name };
    this.#running.add(lock);
    return () => this.#running.delete(lock);
  }

  /** Locks apps that are about to change. @returns releases the locks @throws WorkbenchError `app-already-running` */
  lockToChange(names: readonly string[]): () => void {
    const keys = names.map(normaliseName);
    const running = [...this.#running].find(({ key }) => keys.includes(key));
    if (running !== undefined) {
      throw new WorkbenchError("app-already-running", `${running.name} is running; stop it first.`);
    }
    for (const key of keys) this.#changing.add(key);
    return () => {
      for (const key of keys) this.#changing.delete(key);
    };
  }
}
