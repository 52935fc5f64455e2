import { normaliseName } from "../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** Keeps an app from running while it is installed or removed, and from being installed or removed while it runs. */
export class AppLocks {
  readonly #running = new Map<string, string>();
  readonly #changing = new Set<string>();

  /** Locks an app that is about to run. @returns releases the lock @throws WorkbenchError `app-busy` */
  lockToRun(name: string): () => void {
    const key = normaliseName(name);
    if (this.#changing.has(key)) {
      throw new WorkbenchError("app-busy", `${name} is being installed or removed; wait for the job to end.`);
    }
    this.#running.set(key, name);
    return () => this.#running.delete(key);
  }

  /** Locks apps that are about to change. @returns releases the locks @throws WorkbenchError `app-already-running` */
  lockToChange(names: readonly string[]): () => void {
    const keys = names.map(normaliseName);
    const [running] = keys.flatMap((key) => this.#running.get(key) ?? []);
    if (running !== undefined) {
      throw new WorkbenchError("app-already-running", `${running} is running; stop it first.`);
    }
    for (const key of keys) this.#changing.add(key);
    return () => {
      for (const key of keys) this.#changing.delete(key);
    };
  }
}
