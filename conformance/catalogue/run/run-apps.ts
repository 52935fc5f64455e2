import { sleep } from "../../../common/time/clock.ts";
import type { CatalogueApp } from "../apps/catalogue-apps.ts";
import { ATTEMPTS, backoffMs } from "./backoff.ts";
import { type AppResult, type CertifyContext, certifyApp } from "./certify-app.ts";

export interface RunAppsOptions extends CertifyContext {
  /** Apps at a time. */
  concurrency: number;
  onResult(app: CatalogueApp, result: AppResult): void;
}

/**
 * Gives every app its verdict, some at a time. An app whose certification failed is tried again later, the others
 * meanwhile.
 * @returns the results, in the order of the apps
 * @throws the signal's reason
 */
export async function runApps(apps: readonly CatalogueApp[], options: RunAppsOptions): Promise<AppResult[]> {
  const { concurrency, clock, signal, onResult } = options;
  const results = new Map<CatalogueApp, AppResult>();
  const queue = apps.map((app) => ({ app, failed: 0, notBefore: 0 }));
  const work = async (): Promise<void> => {
    for (let next = takeNext(queue, clock.now()); next !== null; next = takeNext(queue, clock.now())) {
      await sleep(clock, Math.max(0, next.notBefore - clock.now()), signal);
      signal.throwIfAborted();
      const result = await certifyApp(next.app, options);
      const failed = next.failed + 1;
      if (result.kind === "failed" && failed < ATTEMPTS) {
        queue.push({ app: next.app, failed, notBefore: clock.now() + backoffMs(failed) });
        continue;
      }
      results.set(next.app, result);
      onResult(next.app, result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return apps.map((app) => results.get(app) as AppResult);
}

/** Takes the first entry that may run, or else the one that may run first. */
function takeNext<T extends { notBefore: number }>(queue: T[], now: number): T | null {
  const ready = queue.findIndex(({ notBefore }) => notBefore <= now);
  const earliest = queue.indexOf([...queue].sort((one, other) => one.notBefore - other.notBefore)[0] as T);
  const [taken] = queue.splice(ready < 0 ? earliest : ready, queue.length === 0 ? 0 : 1);
  return taken ?? null;
}
