import { EXIT, type Terminal } from "../../../assistant/terminal.ts";
import { limitRate } from "../../../common/time/limit-rate.ts";
import { withCheckFailedCode } from "../../certify/check-failed-code.ts";
import type { Tier } from "../../certify/tiers.ts";
import { type CatalogueApp, listApps } from "../apps/catalogue-apps.ts";
import { type CatalogueRun, countVerdicts, runEntryOf } from "../run/catalogue-run.ts";
import type { AppResult } from "../run/certify-app.ts";
import { showRunProgress } from "../run/progress.ts";
import { type RunAppsOptions, runApps } from "../run/run-apps.ts";
import { changedFirst, latestCatalogueRun, writeCatalogueRun } from "../run/runs-folder.ts";
import { type CatalogueFlags, contextOf, defaultConcurrency, prepareEnvironment } from "./catalogue-flags.ts";

const MINUTE_MS = 60_000;

export interface CertifyCatalogueOptions extends CatalogueFlags {
  catalogue: string;
  tier: Tier;
  /** Test runs of one app at a time. */
  jobs: number;
  json: boolean;
  /** The Redis of the queue that workers take the apps from; undefined: this process certifies them. */
  queue?: string;
}

/**
 * `certify --catalogue`: gives every app of a catalogue its verdict, and writes all of them as JSON and as a page. What has
 * a verdict is not certified again, so a run that was killed goes on where it was.
 * @throws WorkbenchError `usage`, `bad-request`, `hub-unreachable`; `check-failed` when there is no Redis, Python or package
 *   index, or the store fails; the terminal's signal's reason
 */
export function certifyCatalogue(terminal: Terminal, version: string, options: CertifyCatalogueOptions): Promise<void> {
  const what = "The catalogue could not be certified";
  return withCheckFailedCode(what, terminal.signal, () => certifyAll(terminal, version, options));
}

async function certifyAll(terminal: Terminal, version: string, options: CertifyCatalogueOptions): Promise<void> {
  const { catalogue, tier } = options;
  const { signal } = terminal;
  const context = contextOf(options, terminal, { ...options, version, signal });
  const startedAt = context.clock.unixTime();
  const apps = await listApps(catalogue, terminal.cwd, context.hub, signal);
  const before = await latestCatalogueRun(context.store, tier);
  terminal.err(`${apps.length} apps, tier ${tier}\n`);
  const { liveProgress } = terminal;
  const progress = showRunProgress(terminal.err, { total: apps.length, live: liveProgress, now: context.clock.now });
  const ordered = changedFirst(apps, before);
  const onResult = (_app: CatalogueApp, result: AppResult): void => {
    if (result.kind === "verdict") progress.count(result.verdict.verdict, result.known);
    else progress.count("error", false);
  };
  const results = await runAll(ordered, options, { ...context, onResult }, terminal.err).finally(progress.close);
  const shown = ordered.map((app, index) => runEntryOf(app, results[index] as AppResult));
  const run: CatalogueRun = {
    format: "robot-catalogue-run",
    formatVersion: 1,
    suite: version,
    tier,
    catalogue,
    startedAt: new Date(startedAt).toISOString(),
    duration: (context.clock.unixTime() - startedAt) / 1000,
    counts: countVerdicts(shown),
    apps: shown.sort((one, other) => one.name.localeCompare(other.name)),
  };
  const files = await writeCatalogueRun(context.store, run, before);
  if (options.json) terminal.out(`${JSON.stringify(run)}\n`);
  else terminal.out(`${formatCounts(run)}\n${files.map((file) => `  ${file}\n`).join("")}`);
  terminal.setExitCode(run.counts.error > 0 ? EXIT.unavailable : EXIT.ok);
}

async function runAll(
  apps: readonly CatalogueApp[],
  { queue, concurrency, tier, rate }: CertifyCatalogueOptions,
  context: Omit<RunAppsOptions, "concurrency">,
  write: (text: string) => void,
): Promise<AppResult[]> {
  if (queue === undefined) {
    await prepareEnvironment(context);
    const { clock, signal } = context;
    const limited =
      rate === undefined ? context : { ...context, waitForTurn: limitRate(MINUTE_MS / rate, clock, signal) };
    return runApps(apps, { ...limited, concurrency: concurrency ?? defaultConcurrency(tier) });
  }
  // Only a run with a queue needs the packages of the queue.
  const { connectToRedis } = await import("../queue/connect.ts");
  const { runQueued } = await import("../queue/run-queued.ts");
  const { createErrorLog } = await import("../queue/error-log.ts");
  const logError = createErrorLog(write, context.clock);
  const redis = await connectToRedis(queue, (error) => logError("Redis", error));
  try {
    return await runQueued(apps, redis, context);
  } finally {
    redis.disconnect();
  }
}

function formatCounts({ apps, counts, tier, duration }: CatalogueRun): string {
  const parts = Object.entries(counts).flatMap(([verdict, count]) => (count > 0 ? [`${count} ${verdict}`] : []));
  return `${apps.length} apps, tier ${tier}, ${Math.round(duration)} s: ${parts.join(", ")}`;
}
