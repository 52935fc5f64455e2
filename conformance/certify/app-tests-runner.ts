import { join } from "node:path";
import { type AppTestsOptions, runAppTests } from "../app-tests/judged/run-app-tests.ts";
import { hasTests } from "../app-tests/pytest.ts";
import type { DynamicRequirement } from "../requirements/requirement.ts";
import type { AppUnderTest } from "../runner/app/app-under-test.ts";
import type { AppTests } from "../verdict/verdict.ts";
import {
  type CertificationProgress,
  type CollectedEvidence,
  type CollectOptions,
  collectEvidence,
} from "./collect-evidence.ts";

interface AppTestsRunnerOptions extends Pick<AppTestsOptions, "folder" | "clean" | "into" | "isolation" | "host"> {
  progress: Pick<CertificationProgress, "plan" | "begin" | "end">;
}

const STEP = "the app's tests";

/**
 * Runs the tests of an app during its certification: beside the test runs where the sandbox keeps them from these, after them
 * otherwise.
 */
export class AppTestsRunner {
  readonly #options: AppTestsRunnerOptions;
  readonly #cancel = new AbortController();
  #installed: { app: AppUnderTest; venv: string } | null = null;
  readonly #runTests: typeof runAppTests;
  #running: Promise<AppTests | null> | null = null;

  constructor(options: AppTestsRunnerOptions, runTests: typeof runAppTests = runAppTests) {
    this.#options = options;
    this.#runTests = runTests;
  }

  /** The app is installed. */
  readonly onInstalled = (app: AppUnderTest, venv: string): void => {
    this.#installed = { app, venv };
    const { bubblewrap, network } = this.#options.isolation;
    if (bubblewrap !== null && network) this.#start();
  };

  /** Call when the test runs have ended. Returns null for an app without tests. @throws the host's signal's reason */
  async result(): Promise<AppTests | null> {
    this.#start();
    return this.#running;
  }

  /** Ends the tests that still run. */
  async close(): Promise<void> {
    this.#cancel.abort();
    await this.#running?.catch(() => {});
  }

  #start(): void {
    if (this.#running !== null || this.#installed === null) return;
    this.#running = this.#run(this.#installed);
    // Whoever awaits it gets the error.
    this.#running.catch(() => {});
  }

  async #run({ app, venv }: { app: AppUnderTest; venv: string }): Promise<AppTests | null> {
    const { progress, host, ...options } = this.#options;
    if (!(await hasTests(options.folder))) return null;
    progress.plan(1);
    progress.begin(STEP);
    const signal = AbortSignal.any([host.signal, this.#cancel.signal]);
    const [name = ""] = app.module.split(".");
    try {
      return await this.#runTests({ ...options, name, venv, host: { ...host, signal } });
    } finally {
      progress.end(STEP);
    }
  }
}

/** Collects the evidence of an app, and runs the app's own tests meanwhile. @throws HarnessError; the host's signal's reason */
export async function collectBesideAppTests(
  requirements: readonly DynamicRequirement[],
  options: CollectOptions,
): Promise<{ first: CollectedEvidence; appTests: AppTests | null }> {
  const tests = new AppTestsRunner({ ...options, into: join(options.into, "app-tests") });
  try {
    const first = await collectEvidence(requirements, { ...options, onInstalled: tests.onInstalled });
    return { first, appTests: await tests.result() };
  } finally {
    await tests.close();
  }
}
