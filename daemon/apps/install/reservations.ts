import { normaliseName, sameName } from "../../../robot/wire/app-search.ts";
import type { AppStatus } from "../../../robot/wire/apps.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** Keeps an app from running and from being changed at the same time. */
export class Reservations {
  readonly #slot: () => AppStatus | null;
  readonly #taken = new Set<string>();

  constructor(slot: () => AppStatus | null) {
    this.#slot = slot;
  }

  /** To be asked before an app starts. @throws WorkbenchError `app-busy` */
  admit(name: string): void {
    if (!this.#taken.has(normaliseName(name))) return;
    throw new WorkbenchError("app-busy", `${name} is being installed or removed; wait for the job to end.`);
  }

  /** @returns gives the apps free again. @throws WorkbenchError `app-already-running` when one of them holds the slot */
  take(names: readonly string[]): () => void {
    const held = this.#slot();
    const busy = held !== null && held.state !== "done" && held.state !== "error";
    if (busy && names.some((name) => sameName(name, held.info.name))) {
      throw new WorkbenchError("app-already-running", `${held.info.name} is running; stop it first.`);
    }
    const taken = names.map(normaliseName);
    for (const name of taken) this.#taken.add(name);
    return () => {
      for (const name of taken) this.#taken.delete(name);
    };
  }
}
