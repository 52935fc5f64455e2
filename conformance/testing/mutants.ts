import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { DEFAULT_DIALECT } from "../../robot/dialects/dialects.ts";
import { type CertificationProgress, collectEvidence } from "../certify/collect-evidence.ts";
import type { JudgedRequirement } from "../certify/judge.ts";
import { DYNAMIC } from "../requirements/registry.ts";
import type { DynamicRequirement } from "../requirements/requirement.ts";
import { cleanEnvironment } from "../runner/app/clean-environment.ts";
import type { Host } from "../runner/host.ts";
import { probeIsolation } from "../runner/isolation/probe-isolation.ts";
import { freePort } from "../runner/ports.ts";
import type { Outcome } from "../verdict/verdict.ts";

/** A change of one file: `find` is replaced by `put`, or the whole file by `content` (null: it is deleted). */
export interface Change {
  file: string;
  find?: string;
  put?: string;
  content?: string | null;
}

/** An app of fixtures/apps with changes: an entry of fixtures/good-apps/running.yaml. */
export interface Variant {
  app: string;
  changes: readonly Change[];
}

/** An entry of fixtures/broken-apps/running.yaml. */
interface Mutant extends Variant {
  /** Text of the finding. */
  says: string;
  /** Other requirements that fail with it. */
  also?: readonly string[];
  /** The test run in which it misbehaves, where its requirement does not need that one. */
  testRun?: string;
}

export const MUTANTS: Readonly<Record<string, Mutant>> = parse(
  await readFile("fixtures/broken-apps/running.yaml", "utf8"),
);

/** Apps that meet every requirement in unusual ways. */
export const GOOD_APPS: Readonly<Record<string, Variant>> = parse(
  await readFile("fixtures/good-apps/running.yaml", "utf8"),
);

/** This process as the host of a certification that nobody cancels, and nobody watches. */
export const HOST: Host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };
export const NO_PROGRESS: CertificationProgress = {
  plan: () => {},
  begin: () => {},
  end: () => {},
  reportViolated: () => {},
};

/** The requirement in a mutant's name. */
export const idOf = (name: string): string => /^[A-Z]+-\d+/.exec(name)?.[0] ?? "";

/** A copy of an app of fixtures/apps with changes, its page on a free port. */
export async function copyAppWithChanges(app: string, changes: readonly Change[], into: string): Promise<string> {
  const folder = join(into, app);
  await cp(join("fixtures/apps", app), folder, { recursive: true });
  const main = join(folder, app, "main.py");
  await writeFile(main, (await readFile(main, "utf8")).replace("8042", String(await freePort())));
  for (const { file, find, put = "", content } of changes) {
    const path = join(folder, file);
    if (content === null) {
      await rm(path);
      continue;
    }
    if (content !== undefined) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      continue;
    }
    const text = await readFile(path, "utf8");
    if (find === undefined || !text.includes(find)) throw new Error(`${find} is not in ${file} of ${app}`);
    await writeFile(
      path,
      text.replace(find, () => put),
    );
  }
  return folder;
}

interface JudgeOptions {
  seed?: number;
  /** Test runs at a time. */
  jobs?: number;
}

/**
 * What the requirements make of an app.
 * @throws Error when the daemon did what the model of the lifecycle does not allow
 */
export async function judgeApp(
  requirements: readonly DynamicRequirement[],
  app: string,
  changes: readonly Change[] = [],
  { seed = 1, jobs = 4 }: JudgeOptions = {},
): Promise<readonly JudgedRequirement[]> {
  const into = await mkdtemp(join(tmpdir(), "robot-mutant-"));
  try {
    const clean = await cleanEnvironment(resolve("artifacts/certification"), HOST, (_, work) => work());
    const isolation = await probeIsolation({ venv: clean, allowNetwork: false, host: HOST });
    const folder = await copyAppWithChanges(app, changes, into);
    const { judged } = await collectEvidence(requirements, {
      folder,
      dialect: DEFAULT_DIALECT.id,
      clean,
      into,
      host: HOST,
      progress: NO_PROGRESS,
      seed,
      thoroughness: "default",
      replay: null,
      jobs,
      isolation,
    });
    return judged;
  } finally {
    await rm(into, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Judges a mutant by all requirements that the test runs of its own requirement show; by a second build only where that is its own. */
export function judgeMutant(name: string, options: JudgeOptions = {}): Promise<readonly JudgedRequirement[]> {
  const { app, changes, testRun } = MUTANTS[name] as Mutant;
  const own = DYNAMIC.find(({ id }) => id === idOf(name));
  const executed = [...(own?.testRuns ?? []), ...(testRun === undefined ? [] : [testRun])];
  const isShown = (each: DynamicRequirement) =>
    each.testRuns.every((id) => executed.includes(id)) && !(each.needsSecondBuild && !own?.needsSecondBuild);
  const shown = DYNAMIC.filter(isShown);
  // The test runs to execute are those that the requirements need.
  const needing = shown.map((each) => (each.id === own?.id ? { ...each, testRuns: executed } : each));
  return judgeApp(needing, app, changes, options);
}

/** Judges a good app by all requirements. */
export function judgeGoodApp(name: string, options: JudgeOptions = {}): Promise<readonly JudgedRequirement[]> {
  const { app, changes } = GOOD_APPS[name] as Variant;
  return judgeApp(DYNAMIC, app, changes, options);
}

/** What is wrong with the judgements of a mutant; null when its requirement fails, says why, and no other one does. */
export function problemWithMutant(name: string, judged: readonly JudgedRequirement[]): string | null {
  const own = judged.find(({ requirement }) => requirement.id === idOf(name));
  const expected = own?.requirement.level === "MUST" ? "fail" : "warn";
  const { status, findings = [], reason } = own?.judgement ?? {};
  if (status !== expected) return `${idOf(name)} is ${status} (${reason})`;
  const text = findings.map(({ message }) => message).join(" | ");
  const { says, also = [] } = MUTANTS[name] as Mutant;
  if (!text.includes(says)) return `${idOf(name)} says: ${text}`;
  return describeOthers(judged, [idOf(name), ...also], ["fail", "warn", "flaky", "error"]);
}

/** What is wrong with the judgements of a good app; null when every requirement passes or does not apply. */
export const problemWithGoodApp = (judged: readonly JudgedRequirement[]): string | null =>
  describeOthers(judged, [], ["fail", "warn", "flaky", "inconclusive", "error"]);

function describeOthers(
  judged: readonly JudgedRequirement[],
  allowed: readonly string[],
  bad: readonly Outcome[],
): string | null {
  const others = judged.filter(({ judgement: { id, status } }) => bad.includes(status) && !allowed.includes(id));
  const texts = others.map(({ judgement: { id, status, findings, reason } }) => {
    return `${id} is ${status} (${findings[0]?.message ?? reason})`;
  });
  return texts.length === 0 ? null : texts.join("; ");
}
