import { ERRORS, type ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Job } from "../../../robot/wire/jobs.ts";

export interface FetchParts {
  /** The address that an app can be had from; null when it is installed already. @throws why it cannot be had */
  addressOf(name: string): Promise<string | null>;
  /** Installs from an address and settles when the job is over. */
  install(address: string): Promise<Job>;
}

/** Sees to it that the startup app is there before it is wanted, from the catalogue when it is not installed. */
export class StartupFetch {
  readonly #parts: FetchParts;
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(parts: FetchParts) {
    this.#parts = parts;
  }

  /**
   * Settles when the app is installed, or was before. Calls for the same app join each other.
   * @throws WorkbenchError why it could not be installed: `app-not-found` when there is none of this name
   */
  fetch(name: string): Promise<void> {
    const known = this.#underWay.get(name);
    if (known !== undefined) return known;
    const work = this.#fetch(name).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, work);
    return work;
  }

  async #fetch(name: string): Promise<void> {
    const address = await this.#parts.addressOf(name);
    if (address === null) return;
    const { status, error, code } = await this.#parts.install(address);
    if (status === "done") return;
    const known: ErrorCode = code !== null && code in ERRORS ? (code as ErrorCode) : "install-failed";
    throw new WorkbenchError(known, error ?? `The installation of ${name} was called off.`);
  }
}
