import { randomInt } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Emitter } from "../../common/emitter.ts";
import { SerialQueue } from "../../common/serial-queue.ts";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import type {
  CertificationState,
  CertificationTier,
  RequirementProblem,
  WorkshopVerdict,
} from "../../robot/wire/workshop/certification.ts";
import type { FileText } from "../../robot/wire/workshop/workshop.ts";
import type { Workshop } from "./workshop.ts";

/** What is certified, and where the verdict goes. */
interface CopyToCertify {
  /** Folder of the copy. */
  folder: string;
  tier: CertificationTier;
  /** Of every random choice; 32 bits. */
  seed: number;
  /** Folder for `report.html`; it is made. */
  out: string;
}

interface Certified extends Omit<WorkshopVerdict, "tier" | "revision"> {
  /** Ids of the requirements that were observed to be met. */
  passed: readonly string[];
}

interface Steps {
  done: number;
  planned: number;
  violated: readonly string[];
}

/**
 * Certifies a copy of an app in processes of their own; the program plugs it in.
 * @throws WorkbenchError why there is no verdict; the signal's reason
 */
export type Certify = (
  copy: CopyToCertify,
  onProgress: (steps: Steps) => void,
  signal: AbortSignal,
) => Promise<Certified>;

interface CertificationsParts {
  workshop: Pick<Workshop, "copyToCertify">;
  certify: Certify;
  /** Whether the robot of this daemon is a physical one: where apps cannot be kept apart, one that is certified could move it. */
  isPhysical(): boolean;
  /** Folder for reports; belongs to this object alone. */
  folder: string;
  /** Gets every error, to log an unexpected one. */
  onError(error: unknown): void;
}

/** Certifies the app that is edited as it is kept, one certification at a time. */
export class WorkshopCertifications {
  /** Emits the state as it changes. */
  readonly changes = new Emitter<CertificationState>();
  readonly #parts: CertificationsParts;
  readonly #queue = new SerialQueue();
  #state: CertificationState = { running: null, verdict: null, problem: null };
  #running = new AbortController();
  #isClosed = false;
  /** The seed of the last verdict: a fix is judged with the same random choices. */
  #seed = 0;

  constructor(parts: CertificationsParts) {
    this.#parts = parts;
  }

  get state(): CertificationState {
    return this.#state;
  }

  /** The page with the report of the last verdict. @throws WorkbenchError `report-not-found` before there is one */
  get reportFile(): string {
    if (this.#state.verdict !== null) return join(this.#reportFolder, "report.html");
    throw new WorkbenchError("report-not-found", "There is no report before the first verdict: certify the app first.");
  }

  /** Starts a certification in place of the one that runs. */
  start(tier: CertificationTier): void {
    if (this.#isClosed) return;
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.#change({ running: { tier, done: 0, planned: 1, violated: [], cancelling: false }, problem: null });
    this.#certify(tier, signal).then(
      // When another one has begun meanwhile, the report is that of this verdict all the same.
      (verdict) => this.#change(this.#isReplaced(signal) ? { verdict } : { running: null, verdict }),
      (error) => {
        if (this.#isReplaced(signal)) return;
        if (signal.aborted) return this.#change({ running: null });
        this.#parts.onError(error);
        this.#change({ running: null, problem: problemOf(error).detail });
      },
    );
  }

  /** Ends the certification that runs, which takes until its processes have ended; the last verdict stays. */
  readonly cancel = (): void => {
    this.#running.abort();
    const { running } = this.#state;
    if (running !== null) this.#change({ running: { ...running, cancelling: true } });
  };

  /** Whether another certification was started in place of one. */
  #isReplaced(signal: AbortSignal): boolean {
    return signal !== this.#running.signal;
  }

  /** Ends the certification that runs, and settles when it has ended. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.cancel();
    return this.#queue.run(async () => {});
  }

  /** A requirement that the last verdict says is not met. @throws WorkbenchError `bad-request` for any other */
  problemWith(id: string): RequirementProblem {
    const found = this.#state.verdict?.problems.find((each) => each.id === id);
    if (found !== undefined) return found;
    throw new WorkbenchError(
      "bad-request",
      `The last verdict does not say that ${id} is not met: certify the app again.`,
    );
  }

  /**
   * Judges the app with changes that are not kept as the last verdict was made, with the same seed: another test run may show
   * what one of the requirement alone would not.
   * @returns why the requirement is not met; null when it was observed to be met
   * @throws WorkbenchError why there is no verdict; the signal's reason
   */
  whyNotMet(id: string, changes: readonly FileText[], signal: AbortSignal): Promise<string | null> {
    return this.#queue.run(async () => {
      const tier = this.#state.verdict?.tier ?? "whole";
      const task = { tier, seed: this.#seed, out: join(this.#parts.folder, "of-a-fix") };
      const { problems, passed } = await this.#certifyCopy(changes, task, () => {}, signal);
      if (passed.includes(id)) return null;
      const found = problems.find((each) => each.id === id);
      return found?.message ?? "It was not judged, or does not concern the app any more.";
    });
  }

  get #reportFolder(): string {
    return join(this.#parts.folder, "of-the-app");
  }

  #certify(tier: CertificationTier, signal: AbortSignal): Promise<WorkshopVerdict> {
    return this.#queue.run(async () => {
      signal.throwIfAborted();
      const onProgress = ({ done, planned, violated }: Steps): void => {
        if (!signal.aborted)
          this.#change({ running: { tier, done, planned, violated: [...violated], cancelling: false } });
      };
      const task = { tier, seed: randomInt(2 ** 32), out: join(this.#parts.folder, "next") };
      const { passed: _, ...verdict } = await this.#certifyCopy([], task, onProgress, signal);
      signal.throwIfAborted();
      // The report of the last verdict stays until there is another one.
      await rm(this.#reportFolder, { recursive: true, force: true });
      await rename(task.out, this.#reportFolder);
      this.#seed = task.seed;
      return { ...verdict, tier };
    });
  }

  async #certifyCopy(
    changes: readonly FileText[],
    task: Omit<CopyToCertify, "folder">,
    onProgress: (steps: Steps) => void,
    signal: AbortSignal,
  ): Promise<Certified & Pick<WorkshopVerdict, "revision">> {
    const { certify, workshop, isPhysical } = this.#parts;
    if (isPhysical())
      throw new WorkbenchError(
        "check-failed",
        "Apps are not certified beside a physical robot: run dev on another machine, or robot-app-assistant certify.",
      );
    const { folder, revision } = await workshop.copyToCertify(changes, signal);
    return { ...(await certify({ ...task, folder }, onProgress, signal)), revision };
  }

  #change(changed: Partial<CertificationState>): void {
    this.#state = { ...this.#state, ...changed };
    this.changes.emit(this.#state);
  }
}
