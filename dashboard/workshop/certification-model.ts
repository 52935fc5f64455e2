import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { CertificationState, CertificationTier } from "../../robot/wire/workshop/certification.ts";
import type { Client } from "../connection/client.ts";
import type { EditedFiles } from "./edited-files.ts";

interface CertificationModelOptions {
  /** Sends the secret of the workshop. */
  client: Client;
  files: Pick<EditedFiles, "isChanged">;
  /** Of the app as it is kept. */
  revision: ReadonlySignal<string>;
  report(error: unknown): void;
}

/** The certification of the app that is edited. */
export class CertificationModel {
  readonly #state = signal<CertificationState>({ running: null, verdict: null, problem: null });
  readonly state: ReadonlySignal<CertificationState> = this.#state;
  /** Whether the app differs from what was judged. */
  readonly isStale = computed(() => {
    const { verdict } = this.#state.value;
    const { files, revision } = this.#options;
    return verdict !== null && (files.isChanged.value || verdict.revision !== revision.value);
  });
  readonly #options: CertificationModelOptions;
  /** States received so far: one that arrives while an older one is on its way is the newer. */
  #received = 0;

  constructor(options: CertificationModelOptions) {
    this.#options = options;
  }

  /** Takes the state as the daemon reports it. */
  readonly receive = (state: CertificationState): void => {
    this.#received += 1;
    this.#state.value = state;
  };

  readonly load = (): Promise<void> => this.#request(() => this.#options.client.get("/api/workshop/certification"));

  /** Certifies the app as it is kept, in place of the certification that runs. */
  start(tier: CertificationTier): Promise<void> {
    return this.#request(() => this.#options.client.post("/api/workshop/certify", { tier }));
  }

  readonly cancel = (): Promise<void> => this.#request(() => this.#options.client.post("/api/workshop/certify/cancel"));

  async #request(request: () => Promise<CertificationState>): Promise<void> {
    const received = this.#received;
    try {
      const state = await request();
      if (received === this.#received) this.receive(state);
    } catch (error) {
      this.#options.report(error);
    }
  }
}
