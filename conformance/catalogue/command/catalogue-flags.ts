import { availableParallelism, freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { type Command, Option } from "commander";
import type { Terminal } from "../../../assistant/terminal.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { HubClient } from "../../../daemon/apps/hub/hub-client.ts";
import { defaultDataDir } from "../../../daemon/command-line/options.ts";
import { hubOptions } from "../../../daemon/commands/install.ts";
import { nonEmptyText, webAddress, wholeNumber } from "../../../robot/command-line/values.ts";
import { PUBLIC_HUB } from "../../../robot/wire/apps/app-package.ts";
import type { Tier } from "../../certify/tiers.ts";
import { MAX_DEADLINE_S } from "../../child-process/limits.ts";
import { removeOldScratchFolders } from "../../child-process/scratch-folders.ts";
import { cleanEnvironment } from "../../runner/app/clean-environment.ts";
import type { CertifyContext } from "../run/certify-app.ts";
import { openObjects, withoutStoreSecrets } from "../store/open-store.ts";
import { VerdictStore } from "../store/verdict-store.ts";

/** The options of everything that certifies many apps. */
export interface CatalogueFlags {
  store: string;
  concurrency?: number;
  appDeadline?: number;
  appMemory: number;
  hubUrl: string;
  rate?: number;
}

const MEGABYTE = 1e6;
/** Memory that one certification with one test run at a time takes, with some reserve. */
const APP_BYTES = 900 * MEGABYTE;
/** Certifications of the short tier for each core: most of their time, apps wait. */
const SHORT_PER_CORE = 2;
/** Seconds after which a certification is ended: several times what it takes on a busy machine. */
const DEADLINES: Readonly<Record<Tier, number>> = { short: 240, whole: 1200 };

/** Adds the options that `certify --catalogue` and `worker` share. */
export function addCatalogueOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--store <where>", "where the verdicts of a catalogue are kept: a folder, or s3://BUCKET/PREFIX")
        .default("certification/catalogue")
        .argParser(nonEmptyText("a folder or s3://BUCKET/PREFIX", "--store verdicts")),
    )
    .option(
      "--concurrency <number>",
      "apps of a catalogue at a time (default: by cores and free memory)",
      wholeNumber(1, 256, "--concurrency 4"),
    )
    .option(
      "--rate <number>",
      "apps of a catalogue that begin in a minute, with all workers together, to spare hub and package index",
      wholeNumber(1, 100_000, "--rate 60"),
    )
    .option(
      "--app-deadline <seconds>",
      `time for one app of a catalogue (default: ${DEADLINES.short}, and ${DEADLINES.whole} for --tier whole)`,
      wholeNumber(1, MAX_DEADLINE_S, "--app-deadline 300"),
    )
    .option(
      "--app-memory <megabytes>",
      "memory for one app of a catalogue with its daemon and simulator",
      wholeNumber(20, 1_000_000, "--app-memory 2000"),
      2000,
    )
    .addOption(
      new Option("--hub-url <url>", "the hub of the apps of a catalogue")
        .default(PUBLIC_HUB)
        .argParser(webAddress("--hub-url https://huggingface.co")),
    );
}

/** Apps at a time that fit this machine: by its cores, and by the memory that is free now. */
export function defaultConcurrency(tier: Tier): number {
  const byCores = tier === "short" ? SHORT_PER_CORE * availableParallelism() : availableParallelism();
  return Math.max(1, Math.min(byCores, Math.floor(freemem() / APP_BYTES)));
}

/** @param tier what is judged @param jobs test runs of one app at a time @param signal cancels everything */
export function contextOf(
  flags: CatalogueFlags,
  terminal: Terminal,
  { tier, jobs, version, signal }: Pick<CertifyContext, "tier" | "jobs" | "version" | "signal">,
): CertifyContext {
  return {
    store: new VerdictStore(openObjects(flags.store, terminal.cwd, terminal.env, signal)),
    hub: new HubClient(hubOptions(flags.hubUrl, terminal.env)),
    version,
    tier,
    jobs,
    deadline: flags.appDeadline ?? DEADLINES[tier],
    memoryBytes: flags.appMemory * MEGABYTE,
    cache: join(defaultDataDir(terminal.env), "certification"),
    env: withoutStoreSecrets(terminal.env),
    clock: systemClock,
    signal,
    waitForTurn: async () => {},
  };
}

/**
 * Makes the clean Python environment, or updates it, before several certifications use it at the same time. Removes what
 * killed processes left.
 * @throws WorkbenchError as `cleanEnvironment` does
 */
export async function prepareEnvironment(context: CertifyContext): Promise<void> {
  const { cache, env, clock, signal } = context;
  await removeOldScratchFolders(tmpdir(), clock.unixTime());
  await cleanEnvironment(cache, { env, now: clock.unixTime, signal }, (_name, work) => work());
}
