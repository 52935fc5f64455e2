import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { cancelSignalOption } from "../../../common/machine/load-execa.ts";
import { localFolder } from "../../../daemon/apps/install/fetch/folder-source.ts";
import { readLines } from "../../../daemon/apps/watch/output.ts";
import type { AppTests } from "../../verdict/verdict.ts";
import { PYTEST_EXIT } from "../pytest.ts";
import { isolatedPytest } from "./isolated-pytest.ts";
import { environmentWithExtra, pytestPackages, type TestedApp } from "./test-packages.ts";
import { TestResults } from "./test-results.ts";

export interface AppTestsOptions extends TestedApp {
  /** The app's folder. */
  folder: string;
  /** Name of the app's package. */
  name: string;
  /** Ends the tests when it aborts. Default: after 120 s. */
  deadline?: AbortSignal;
}

/** Seconds that all tests together may take: in virtual time, a test takes about one. */
const LIMIT_S = 120;
/** Lines of output that are shown when pytest itself has failed. */
const LAST_LINES = 4;
/** Characters of a problem that are kept. */
const PROBLEM_LENGTH = 600;

/**
 * Runs an app's own tests with pytest, isolated as the app is. What they do is information: it throws for nothing that the app
 * can bring about.
 * @returns null when pytest finds no tests
 * @throws the host's signal's reason
 */
export async function runAppTests(options: AppTestsOptions): Promise<AppTests | null> {
  const { host } = options;
  const results = new TestResults();
  let startedAt = host.now();
  const ended = (problem: string | null): AppTests => {
    const duration = (host.now() - startedAt) / 1000;
    return { ...results.counts, duration, problem: problem?.slice(0, PROBLEM_LENGTH) ?? null };
  };
  try {
    const { command, env } = await prepare(options);
    startedAt = host.now();
    const end = await runPytest(command, env, results, options);
    return end.exitCode === PYTEST_EXIT.noTests && results.hasEnded ? null : ended(problemOf(end, results));
  } catch (error) {
    host.signal.throwIfAborted();
    return ended(`They could not be run: ${(error as Error).message}`);
  }
}

/** Makes what the tests need. Returns the command that runs them, and its environment. */
async function prepare(options: AppTestsOptions) {
  const { folder, name, into, isolation, host } = options;
  await mkdir(into, { recursive: true });
  const copy = join(into, "app");
  await localFolder(folder).fetch(copy, { signal: host.signal, enter: () => {}, log: () => {} });
  const pytest = await pytestPackages(options.clean, host);
  const venv = await environmentWithExtra(copy, options);
  return isolatedPytest({ copy, name, venv, pytest, own: join(into, "own"), isolation, env: host.env });
}

/** How pytest ended. */
interface End {
  /** Undefined when a signal ended it. */
  exitCode: number | undefined;
  /** Why it was ended; null when it ended by itself. */
  why: string | null;
  /** Its last lines on standard error. */
  lastOutput: string;
}

async function runPytest(
  [file = "", ...args]: readonly string[],
  env: Record<string, string>,
  results: TestResults,
  { host, deadline = AbortSignal.timeout(1000 * LIMIT_S), into }: AppTestsOptions,
): Promise<End> {
  const running = execa(file, args, {
    cwd: into,
    env,
    extendEnv: false,
    stdin: "ignore",
    buffer: false,
    reject: false,
    ...cancelSignalOption(AbortSignal.any([host.signal, deadline])),
  });
  const output: string[] = [];
  const read = [
    readLines(running.stdout, results.add),
    readLines(running.stderr, (line) => {
      if (line.trim() !== "") output.push(line.trim());
      if (output.length > LAST_LINES) output.shift();
    }),
  ];
  const { exitCode, signal } = await running;
  await Promise.all(read);
  host.signal.throwIfAborted();
  const ended = signal === undefined ? null : `${signal} ended them`;
  const why = deadline.aborted ? `They had not ended after ${LIMIT_S} s` : ended;
  return { exitCode, why, lastOutput: output.join(" ") };
}

/** Why the tests did not run, or not all of them; null when they did. */
function problemOf({ exitCode, why, lastOutput }: End, { hasEnded, last, counts }: TestResults): string | null {
  const where = last === null ? "before the first one" : `in ${last}`;
  if (why !== null) return `${why}, ${where}.`;
  const isResult = exitCode === PYTEST_EXIT.passed || counts.failed > 0;
  if (hasEnded && isResult) return null;
  return `pytest ended with exit code ${exitCode}, ${where}: ${lastOutput || "it printed nothing"}`;
}
