import { sleep } from "../../../common/time/clock.ts";
import { rejectOnAbort } from "../../../common/time/reject-on-abort.ts";
import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import { type AppResult, type CertifyContext, certifyApp } from "./certify-app.ts";

/** Attempts at an app in one run, when the harness fails. */
const ATTEMPTS = 4;
/** Milliseconds before the second attempt; twice as long before each further one. */
const BACKOFF_MS = 2000;

export interface RunAppsOptions extends CertifyContext {
  /** Apps at a time. */
  concurrency: number;
  onResult(app: CatalogueApp, result: AppResult): void;
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
  /** Those that failed are added at the end. */
  const queue = apps.map((app) => ({ app, failed: 0, notBefore: 0 }));
  let at = 0;
  const work = async (): Promise<void> => {
    for (let entry = queue[at]; entry !== undefined; entry = queue[at]) {
      at += 1;
      await sleep(clock, Math.max(0, entry.notBefore - clock.now()), signal);
      signal.throwIfAborted();
      const { app } = entry;
      const result = await certifyApp(app, context);
      const failed = entry.failed + 1;
      if (result.kind === "failed" && failed < ATTEMPTS) {
        queue.push({ app, failed, notBefore: clock.now() + BACKOFF_MS * 2 ** (failed - 1) });
        continue;
      }
      results.set(app, result);
      onResult(app, result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, () => work().catch((error: unknown) => failure.abort(error))));
  failure.signal.throwIfAborted();
  return apps.map((app) => results.get(app) as AppResult);
}
