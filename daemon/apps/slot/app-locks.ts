import { normaliseName } from "../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/**
 * Keeps an app from running while it is installed, removed or reset, and from being changed while it runs or is changed already.
 * Each lock has one owner, who alone releases it.
 */
export class AppLocks {
  /** An app that is restarted is there twice for a while. */
  readonly #running = new Set<{ key: string; name: string }>();
  readonly #changing = new Set<string>();

  /** Locks an app that is about to run. @returns releases the lock @throws WorkbenchError `app-busy` */
  lockToRun(name: string): () => void {
    const key = normaliseName(name);
    if (this.#changing.has(key)) throw busy(name);
    const lock = { key, name };
    this.#running.add(lock);
    return () => this.#running.delete(lock);
  }

  /** Locks apps that are about to change. @returns releases the locks @throws WorkbenchError `app-already-running`, `app-busy` */
  lockToChange(names: readonly string[]): () => void {
    const keys = new Set(names.map(normaliseName));
    const running = [...this.#running].find(({ key }) => keys.has(key));
    if (running !== undefined) {
      throw new WorkbenchError("app-already-running", `${running.name} is running; stop it first.`);
    }
    const changing = names.find((name) => this.#changing.has(normaliseName(name)));
    if (changing !== undefined) throw busy(changing);
    for (const key of keys) this.#changing.add(key);
    return () => {
      for (const key of keys) this.#changing.delete(key);
      keys.clear(); // what is released may be locked by somebody else from now on
    };
  }
}

const busy = (name: string) =>
  new WorkbenchError("app-busy", `${name} is being installed, removed or reset; wait for that to end.`);
