import { Emitter } from "../../common/emitter.ts";
import { SerialQueue } from "../../common/serial-queue.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { CertificationState } from "../../robot/wire/workshop/certification.ts";
import type { WrittenFile } from "../../robot/wire/workshop/workshop.ts";
import type { Workshop } from "./workshop.ts";
import type { WorkshopCertifications } from "./workshop-certifications.ts";
import type { WorkshopRuns } from "./workshop-runs.ts";

/** What serves the requests for an app that can be edited. */
export interface WorkshopParts {
  workshop: Workshop;
  runs: WorkshopRuns;
  certifications: WorkshopCertifications;
  secret: string;
  /** What the app printed in its last run, its last lines. */
  readLog(signal: AbortSignal): Promise<string>;
  /** Gets every error that no answer has, to log an unexpected one. */
  onError(error: unknown): void;
}

interface WorkshopHostOptions {
  /** Opens the folder of an app, absolute. @throws WorkbenchError `bad-request`, `app-invalid` */
  open(folder: string): Promise<Workshop>;
  /** What serves the requests for an open workshop. */
  connect(workshop: Workshop, secret: string): WorkshopParts;
}

/** The app that can be edited over HTTP, one at a time: that of the daemon's start, and then the one that was opened last. */
export class WorkshopHost {
  /** Emits before files of the open workshop are written. */
  readonly writes = new Emitter<readonly WrittenFile[]>();
  readonly certifications = new Emitter<CertificationState>();
  readonly #options: WorkshopHostOptions;
  readonly #queue = new SerialQueue();
  #parts: WorkshopParts | null = null;
  /** The one of the daemon's start. */
  readonly #first: WorkshopParts | null;

  /** @param opened a workshop that was opened before the daemon; it comes back when one that took its place is closed */
  constructor(options: WorkshopHostOptions, opened: Pick<WorkshopParts, "workshop" | "secret"> | null) {
    this.#options = options;
    this.#first = opened && this.#connect(opened.workshop, opened.secret);
    this.#parts = this.#first;
  }

  /** Null when no app can be edited. */
  get parts(): WorkshopParts | null {
    return this.#parts;
  }

  /** @throws WorkbenchError `workshop-secret` when no app can be edited: nobody has a secret then */
  get current(): WorkshopParts {
    if (this.#parts !== null) return this.#parts;
    const next = "run robot-app-assistant dev with the app's folder, and open the link that it shows";
    throw new WorkbenchError("workshop-secret", `No app can be edited here: ${next}.`);
  }

  /** Opens the folder of an app in place of the one that is open. @throws as `WorkshopHostOptions.open` */
  open(folder: string, secret: string): Promise<WorkshopParts> {
    return this.#queue.run(async () => {
      const opened = this.#connect(await this.#options.open(folder), secret);
      await this.#leave();
      this.#parts = opened;
      return opened;
    });
  }

  /** Closes the one that was opened last. */
  close(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#leave();
      this.#parts = this.#first;
    });
  }

  /** Ends what runs for the open workshop, at the daemon's end. */
  async end(): Promise<void> {
    await this.#parts?.certifications.close();
  }

  async #leave(): Promise<void> {
    if (this.#parts === this.#first) this.#first?.certifications.cancel();
    else await this.end();
  }

  #connect(workshop: Workshop, secret: string): WorkshopParts {
    const parts = this.#options.connect(workshop, secret);
    workshop.writes.on((files) => this.writes.emit(files));
    parts.certifications.changes.on((state) => {
      if (this.#parts === parts) this.certifications.emit(state);
    });
    return parts;
  }
}
