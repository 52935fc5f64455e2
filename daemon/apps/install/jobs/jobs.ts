import type { Clock } from "../../../../common/time/clock.ts";
import type { AppInfo } from "../../../../robot/wire/apps/app-status.ts";
import { jobEventOf, MAX_JOB_LINES } from "../../../../robot/wire/apps/job-log.ts";
import type { Job, JobEvent, JobStage } from "../../../../robot/wire/apps/jobs.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { withSystemCode } from "../../../files/system-error.ts";

/** What the work of a job reports to, and how it learns that it is cancelled. */
export interface JobRun {
  signal: AbortSignal;
  /** @param percent of the whole job; a lower one than before is ignored */
  enter(stage: JobStage, percent: number): void;
  log(line: string, percent?: number): void;
}

/** The work of a job. Returns the app as it is installed afterwards, or null after a removal. */
export type JobWork = (run: JobRun) => Promise<AppInfo | null>;

const MAX_JOBS = 50;
/** Jobs that wait or run. */
const MAX_UNFINISHED = 20;
/** Characters of one line. */
const MAX_LENGTH = 1000;
/** Lines are reported at most this often, however fast a tool prints. */
const REPORT_MS = 100;

interface Entry {
  job: Job;
  abort: AbortController;
  done: Promise<void>;
  /** How many lines of the log have been reported. */
  reportedLines: number;
  /** Set while lines wait to be reported. */
  cancelReport: (() => void) | null;
}

/** Runs jobs one after another and remembers the last fifty. */
export class Jobs {
  readonly #newId: () => string;
  readonly #onChange: (event: JobEvent) => void;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(newId: () => string, onChange: (event: JobEvent) => void, clock: Clock) {
    this.#newId = newId;
    this.#onChange = onChange;
    this.#clock = clock;
  }

  /**
   * Adds a job, which starts when the jobs before it are over.
   * @param command what was requested, for people
   * @throws WorkbenchError `shutting-down`, `too-many-requests`
   */
  add(command: string, work: JobWork): Job {
    if (this.#closed) throw new WorkbenchError("shutting-down", "The daemon is shutting down; start it again first.");
    if (this.unfinished().length >= MAX_UNFINISHED)
      throw new WorkbenchError(
        "too-many-requests",
        `${MAX_UNFINISHED} jobs wait or run, the maximum. Wait for them, or cancel some: GET /api/apps/jobs lists them.`,
      );
    const job: Job = {
      job_id: this.#newId(),
      command,
      status: "pending",
      stage: null,
      percent: 0,
      logs: [],
      log_lines: 0,
      error: null,
      code: null,
      result: null,
    };
    const abort = new AbortController();
    const done = this.#last.then(() => this.#run(entry, work));
    const entry: Entry = { job, abort, done, reportedLines: 0, cancelReport: null };
    this.#last = entry.done;
    this.#entries.set(job.job_id, entry);
    this.#forgetOldest();
    this.#change(entry, {});
    return copyOf(job);
  }

  /** The newest first. */
  list(): Job[] {
    return [...this.#entries.values()].reverse().map(({ job }) => copyOf(job));
  }

  /** An event for each unfinished job, oldest first, with its whole log: for a client that joins. */
  unfinished(): JobEvent[] {
    return [...this.#entries.values()].filter(isUnfinished).map(({ job }) => jobEventOf(job, 0));
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

  /**
   * Cancels a job and settles when everything is as it was before: immediately for one that has not started. Does nothing
   * when the job is over.
   * @throws WorkbenchError `job-not-found`
   */
  async cancel(id: string): Promise<Job> {
    const entry = this.#entry(id);
    entry.abort.abort();
    if (entry.job.status !== "pending") return this.done(id);
    this.#change(entry, { status: "cancelled" });
    return copyOf(entry.job);
  }

  /** Cancels all jobs and refuses new ones. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { abort } of this.#entries.values()) abort.abort();
    await this.#last;
  }

  async #run(entry: Entry, work: JobWork): Promise<void> {
    const { job } = entry;
    const { signal } = entry.abort;
    if (job.status === "cancelled") return;
    const run: JobRun = {
      signal,
      enter: (stage, percent) => this.#change(entry, { stage, percent: Math.max(job.percent, percent) }),
      log: (line, percent = 0) => {
        job.logs.push(line.slice(0, MAX_LENGTH));
        if (job.logs.length > MAX_JOB_LINES) job.logs.shift();
        job.log_lines += 1;
        job.percent = Math.max(job.percent, percent);
        entry.cancelReport ??= this.#clock.after(REPORT_MS, () => this.#change(entry, {}));
      },
    };
    try {
      signal.throwIfAborted();
      this.#change(entry, { status: "in_progress" });
      const result = await work(run);
      this.#change(entry, { status: "done", percent: 100, result });
    } catch (error) {
      // An error during the cancellation is not the job's result, but a person may have to act on it.
      if (signal.aborted && error !== signal.reason) run.log(errorFields(error).error ?? "");
      if (signal.aborted) this.#change(entry, { status: "cancelled" });
      else this.#change(entry, { status: "failed", ...errorFields(withSystemCode(error)) });
    }
  }

  /** Changes a job and reports it, with the lines that waited. */
  #change(entry: Entry, change: Partial<Job>): void {
    entry.cancelReport?.();
    entry.cancelReport = null;
    Object.assign(entry.job, change);
    const event = jobEventOf(entry.job, entry.reportedLines);
    entry.reportedLines = entry.job.log_lines;
    this.#onChange(event);
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry;
    throw new WorkbenchError("job-not-found", `There is no job ${JSON.stringify(id)}; the last ${MAX_JOBS} are kept.`);
  }

  #forgetOldest(): void {
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= MAX_JOBS) return;
      if (!isUnfinished(entry)) this.#entries.delete(id);
    }
  }
}

function errorFields(error: unknown): Pick<Job, "error" | "code"> {
  const code = error instanceof WorkbenchError ? error.code : "internal";
  return { error: error instanceof Error ? error.message : String(error), code };
}

const isUnfinished = ({ job }: Entry): boolean => job.status === "pending" || job.status === "in_progress";
const copyOf = (job: Job): Job => ({ ...job, logs: [...job.logs] });
