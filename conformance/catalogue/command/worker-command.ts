import { pid } from "node:process";
import { Command } from "commander";
import type { Terminal } from "../../../assistant/terminal.ts";
import { systemClock } from "../../../common/time/clock.ts";
import { textMatching } from "../../../robot/command-line/values.ts";
import { withCheckFailedCode } from "../../certify/check-failed-code.ts";
import {
  addCatalogueOptions,
  type CatalogueFlags,
  contextOf,
  defaultConcurrency,
  prepareEnvironment,
} from "./catalogue-flags.ts";

const HELP = `
Takes the apps that certify --catalogue --queue puts into the queue, on any number of machines. All of them need the same
version, the same --store (a folder on a file system that they share, or s3://BUCKET/PREFIX) and, for apps in folders, these folders.
SIGTERM: certifications that run are finished, no other begins. Ctrl-C: they are cancelled, and other workers take them.
docs/catalogue.md explains it. Exit codes: 0 ended by SIGTERM, 2 wrong usage, 3 there is no Redis or no Python environment,
130 Ctrl-C.

Examples:
  robot-app-assistant worker --queue redis://127.0.0.1:6379 --concurrency 4
  robot-app-assistant worker --queue redis://queue.example.com --store /srv/verdicts`;

/** An address of Redis, for options. */
export const REDIS = textMatching(/^rediss?:\/\/\S+$/, "the address of a Redis", "--queue redis://127.0.0.1:6379");

interface WorkerFlags extends CatalogueFlags {
  queue: string;
}

/** `worker`: certifies apps from a queue until it is told to end. @param version of the workbench */
export function certificationWorkerCommand(terminal: Terminal, version: string): Command {
  const command = new Command("worker")
    .description("Certify apps of a catalogue from a queue, beside other workers.")
    .requiredOption("--queue <url>", "the Redis or Valkey with the queue", REDIS)
    .addHelpText("after", HELP);
  return addCatalogueOptions(command).action((given: WorkerFlags) =>
    withCheckFailedCode("The worker ended", terminal.signal, () => runWorkerCommand(terminal, version, given)),
  );
}

async function runWorkerCommand(terminal: Terminal, version: string, given: WorkerFlags): Promise<void> {
  // Only this command and certify --queue need the packages of the queue.
  const { connectToRedis } = await import("../queue/connect.ts");
  const { runWorker } = await import("../queue/run-worker.ts");
  const { createErrorLog } = await import("../queue/error-log.ts");
  const { signal } = terminal;
  const drain = new AbortController();
  const stopListening = terminal.onTerminate(() => drain.abort());
  const logError = createErrorLog(terminal.err, systemClock);
  let redis: Awaited<ReturnType<typeof connectToRedis>> | null = null;
  try {
    redis = await connectToRedis(given.queue, (error) => logError("Redis", error));
    const whole = contextOf(given, terminal, { tier: "whole", jobs: 1, version, signal });
    // Nothing runs yet, so a worker that is drained now ends immediately.
    const preparing = { ...whole, signal: AbortSignal.any([signal, drain.signal]) };
    await prepareEnvironment(preparing).catch((error: Error) => {
      if (!drain.signal.aborted) throw error;
    });
    if (drain.signal.aborted) return;
    const concurrency = given.concurrency ?? defaultConcurrency("short");
    terminal.err(`worker ${pid}, ${concurrency} apps at a time\n`);
    await runWorker(redis, {
      version,
      concurrency,
      clock: systemClock,
      rate: given.rate ?? null,
      contextFor: (tier, jobs, jobSignal) => contextOf(given, terminal, { tier, jobs, version, signal: jobSignal }),
      onError: logError,
      drain: drain.signal,
      drainSeconds: whole.deadline,
      signal,
    });
    signal.throwIfAborted();
  } finally {
    redis?.disconnect();
    stopListening();
  }
}
