import type { Clock } from "../../../../common/time/clock.ts";
import type { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { StatusReporter } from "./status-reporter.ts";

/** Milliseconds without a refusal after which the next one is again reported immediately. */
const QUIET_MS = 10_000;
const SUMMARY_EVERY_MS = 60_000;

interface Episode {
  startedAt: number;
  lastAt: number;
  /** Refusals since the last report. */
  suppressed: number;
  summaryAt: number;
  cancelTimer: () => void;
}

/**
 * Reports refused targets. Apps send targets in loops, so of refusals for the same reason only the first is reported, and
 * then how many there were: every minute, and when they have ended.
 */
export class RefusedTargetReporter {
  readonly #status: StatusReporter;
  readonly #clock: Clock;
  readonly #episodes = new Map<string, Episode>();

  constructor(status: StatusReporter, clock: Clock) {
    this.#status = status;
    this.#clock = clock;
  }

  report({ code, message }: WorkbenchError): void {
    const now = this.#clock.now();
    const episode = this.#episodes.get(code);
    if (episode !== undefined) {
      episode.suppressed++;
      episode.lastAt = now;
      return;
    }
    const cancelTimer = this.#schedule(code, QUIET_MS);
    this.#episodes.set(code, { startedAt: now, lastAt: now, suppressed: 0, summaryAt: now, cancelTimer });
    this.#status.emit("target_refused", "warning", message, { suppressed: 0 });
  }

  /** Reports what was not reported yet; the next refusal is reported immediately. */
  end(): void {
    for (const [code, episode] of this.#episodes) this.#end(code, episode);
  }

  #schedule(code: string, ms: number): () => void {
    return this.#clock.after(ms, () => this.#check(code));
  }

  #check(code: string): void {
    const episode = this.#episodes.get(code);
    if (episode === undefined) return;
    const now = this.#clock.now();
    if (now - episode.lastAt >= QUIET_MS) {
      this.#end(code, episode);
      return;
    }
    if (now - episode.summaryAt >= SUMMARY_EVERY_MS) this.#summarize(episode, now);
    const nextAt = Math.min(episode.lastAt + QUIET_MS, episode.summaryAt + SUMMARY_EVERY_MS);
    episode.cancelTimer = this.#schedule(code, nextAt - now);
  }

  #end(code: string, episode: Episode): void {
    episode.cancelTimer();
    this.#episodes.delete(code);
    this.#summarize(episode, episode.lastAt);
  }

  #summarize(episode: Episode, now: number): void {
    const { suppressed, startedAt } = episode;
    episode.suppressed = 0;
    episode.summaryAt = now;
    if (suppressed === 0) return;
    const seconds = ((now - startedAt) / 1000).toFixed(0);
    const message = `${suppressed} more targets were refused for the same reason within ${seconds} s of the first.`;
    this.#status.emit("target_refused", "warning", message, { suppressed });
  }
}
