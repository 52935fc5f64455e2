import { sleep } from "../../../common/time/clock.ts";
import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import { ATTEMPTS, backoffMs } from "./backoff.ts";
import { type AppResult, type CertifyContext, certifyApp } from "./certify-app.ts";
import { rejectOnAbort } from "./reject-on-abort.ts";

export interface RunAppsOptions extends CertifyContext {
  /** Apps at a time. */
  concurrency: number;
  onResult(app: CatalogueApp, result: AppResult): void;
}

/** An app that is to be certified. */
interface Entry {
  app: CatalogueApp;
  /** Attempts that failed. */
  failed: number;
  /** Time of the clock from which on it may be tried. */
  notBefore: number;
}

/**
 * Gives every app its verdict, some at a time. An app whose certification failed is tried again later, the others
 * meanwhile.
 * @returns the results, in the order of the apps
 * @throws the signal's reason; the first error of the store, after which all other certifications are cancelled
 */
export async function runApps(apps: readonly CatalogueApp[], options: RunAppsOptions): Promise<AppResult[]> {
  const { concurrency, clock, onResult } = options;
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  const context = { ...options, signal, waitForTurn: () => rejectOnAbort(options.waitForTurn(), signal) };
  const results = new Map<CatalogueApp, AppResult>();
  const queue = new AppQueue(apps);
  const work = async (): Promise<void> => {
    for (let next = queue.take(); next !== null; next = queue.take()) {
      await sleep(clock, Math.max(0, next.notBefore - clock.now()), signal);
      signal.throwIfAborted();
      const result = await certifyApp(next.app, context);
      const failed = next.failed + 1;
      if (result.kind === "failed" && failed < ATTEMPTS) {
        queue.add({ app: next.app, failed, notBefore: clock.now() + backoffMs(failed) });
        continue;
      }
      results.set(next.app, result);
      onResult(next.app, result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, () => work().catch((error: unknown) => failure.abort(error))));
  failure.signal.throwIfAborted();
  return apps.map((app) => results.get(app) as AppResult);
}

/** The apps that are left: first those that were never tried, then those that failed, in the order of their times. */
class AppQueue {
  /** By failed attempts. How long an app waits depends on these only, so each list is in the order of its times. */
  readonly #byFailures: Entry[][];

  constructor(apps: readonly CatalogueApp[]) {
    this.#byFailures = [apps.map((app) => ({ app, failed: 0, notBefore: 0 }))];
  }

  /** Adds an app that failed. */
  add(entry: Entry): void {
    this.#byFailures[entry.failed] ??= [];
    this.#byFailures[entry.failed]?.push(entry);
  }

  /** Takes the app that may be tried first; null when none is left. */
  take(): Entry | null {
    let first: Entry[] | null = null;
    for (const list of this.#byFailures)
      if (list[0] !== undefined && list[0].notBefore < (first?.[0]?.notBefore ?? Number.POSITIVE_INFINITY))
        first = list;
    return first?.shift() ?? null;
  }
}
