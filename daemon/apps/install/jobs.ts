import type { AppInfo } from "../../../robot/wire/apps.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Job, JobStage } from "../../../robot/wire/jobs.ts";
import { jobFailure } from "./failure.ts";

/** What the work of a job sees of it. */
export interface JobRun {
  signal: AbortSignal;
  /** @param percent of the whole job; a lower one than before is passed over */
  enter(stage: JobStage, percent: number): void;
  log(line: string, percent?: number): void;
}

/** @returns the app as it is installed afterwards, or null */
export type JobWork = (run: JobRun) => Promise<AppInfo | null>;

const KEPT_JOBS = 50;
const KEPT_LINES = 200;

interface Entry {
  job: Job;
  abort: AbortController;
  done: Promise<void>;
}

/** Runs jobs one after another and remembers the last fifty. */
export class Jobs {
  readonly #newId: () => string;
  readonly #onChange: (job: Job) => void;
  readonly #entries = new Map<string, Entry>();
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(newId: () => string, onChange: (job: Job) => void) {
    this.#newId = newId;
    this.#onChange = onChange;
  }

  /**
   * Starts the work when the jobs before it are over.
   * @param command what was asked for, for people
   * @throws WorkbenchError `shutting-down`
   */
  add(command: string, work: JobWork): Job {
    if (this.#closed) throw new WorkbenchError("shutting-down", "The daemon is shutting down; start it again first.");
    const job: Job = {
      job_id: this.#newId(),
      command,
      status: "pending",
      stage: null,
      percent: 0,
      logs: [],
      error: null,
      code: null,
      result: null,
    };
    const abort = new AbortController();
    const entry: Entry = { job, abort, done: this.#last.then(() => this.#run(entry, work)) };
    this.#last = entry.done;
    this.#entries.set(job.job_id, entry);
    this.#forgetOldest();
    this.#change(job, {});
    return copyOf(job);
  }

  /** The newest first. */
  list(): Job[] {
    return [...this.#entries.values()].reverse().map(({ job }) => copyOf(job));
  }

  /** @throws WorkbenchError `job-not-found` */
  get(id: string): Job {
    return copyOf(this.#entry(id).job);
  }

  /** Settles when the job is over. @throws WorkbenchError `job-not-found` */
  async done(id: string): Promise<Job> {
    const { job, done } = this.#entry(id);
    await done;
    return copyOf(job);
  }

  /** Calls the work off and settles when it has cleaned up. @throws WorkbenchError `job-not-found` */
  async cancel(id: string): Promise<Job> {
    this.#entry(id).abort.abort();
    return this.done(id);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { abort } of this.#entries.values()) abort.abort();
    await this.#last;
  }

  async #run({ job, abort: { signal } }: Entry, work: JobWork): Promise<void> {
    const run: JobRun = {
      signal,
      enter: (stage, percent) => this.#change(job, { stage, percent: Math.max(job.percent, percent) }),
      log: (line, percent = 0) => {
        const logs = [...job.logs, line].slice(-KEPT_LINES);
        this.#change(job, { logs, percent: Math.max(job.percent, percent) });
      },
    };
    try {
      signal.throwIfAborted();
      this.#change(job, { status: "in_progress" });
      const result = await work(run);
      this.#change(job, { status: "done", percent: 100, result });
    } catch (error) {
      if (signal.aborted) this.#change(job, { status: "cancelled" });
      else this.#change(job, { status: "failed", ...shown(jobFailure(error)) });
    }
  }

  #change(job: Job, change: Partial<Job>): void {
    Object.assign(job, change);
    this.#onChange(copyOf(job));
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry;
    throw new WorkbenchError("job-not-found", `There is no job ${JSON.stringify(id)}; the last ${KEPT_JOBS} are kept.`);
  }

  #forgetOldest(): void {
    for (const [id, { job }] of this.#entries) {
      if (this.#entries.size <= KEPT_JOBS) return;
      if (job.status !== "pending" && job.status !== "in_progress") this.#entries.delete(id);
    }
  }
}

function shown(error: unknown): Pick<Job, "error" | "code"> {
  const code = error instanceof WorkbenchError ? error.code : "internal";
  return { error: error instanceof Error ? error.message : String(error), code };
}

const copyOf = (job: Job): Job => ({ ...job, logs: [...job.logs] });
