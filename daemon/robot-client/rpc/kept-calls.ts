import { UnansweredCall } from "./pending-calls.ts";

type Call = () => Promise<unknown>;

/** The last call of each setting, to be repeated for each new process. */
export class KeptCalls {
  readonly #calls = new Map<string, Call>();

  /**
   * Makes the call and keeps it unless it is refused. A call without an answer succeeds: the next process gets it.
   *
   * @param name of the setting
   */
  async start(name: string, call: Call): Promise<unknown> {
    const before = this.#calls.get(name);
    this.#calls.set(name, call);
    try {
      return await call();
    } catch (error) {
      if (error instanceof UnansweredCall) return undefined;
      if (this.#calls.get(name) === call) this.#restore(name, before);
      throw error;
    }
  }

  /** Makes all kept calls again. */
  repeat(): void {
    for (const call of this.#calls.values()) call().catch(() => undefined);
  }

  #restore(name: string, before: Call | undefined): void {
    if (before === undefined) this.#calls.delete(name);
    else this.#calls.set(name, before);
  }
}
