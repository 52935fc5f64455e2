import type { Job } from "../../../robot/wire/apps/jobs.ts";
import { ERRORS, type ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";

interface StartupAppInstallerParts {
  /** Where an app can be installed from; null when it is installed already. @throws why there is no such app */
  addressOf(name: string): Promise<string | null>;
  /** Installs from an address. Settles when the job is over. */
  install(address: string): Promise<Job>;
}

/** Installs the startup app from the hub when it is not installed yet. */
export class StartupAppInstaller {
  readonly #parts: StartupAppInstallerParts;
  readonly #pending = new Map<string, Promise<void>>();

  constructor(parts: StartupAppInstallerParts) {
    this.#parts = parts;
  }

  /**
   * Settles when the app is installed. Calls for the same app share one job.
   * @throws WorkbenchError why it could not be installed; `app-not-found` when there is no app with this name
   */
  ensureInstalled(name: string): Promise<void> {
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    const work = this.#install(name).finally(() => this.#pending.delete(name));
    this.#pending.set(name, work);
    return work;
  }

  async #install(name: string): Promise<void> {
    const address = await this.#parts.addressOf(name);
    if (address === null) return;
    const { status, error, code } = await this.#parts.install(address);
    if (status === "done") return;
    const known: ErrorCode = code !== null && code in ERRORS ? (code as ErrorCode) : "install-failed";
    throw new WorkbenchError(known, error ?? `The installation of ${name} was cancelled.`);
  }
}
