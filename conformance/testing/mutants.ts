import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { gather } from "../certify/gather.ts";
import type { Judged } from "../certify/judge.ts";
import { DYNAMIC } from "../requirements/registry.ts";
import type { DynamicRequirement } from "../requirements/requirement.ts";
import { cleanEnvironment } from "../runner/environment.ts";
import { freePort } from "../runner/ports.ts";

interface Change {
  file: string;
  find?: string;
  put?: string;
  content?: string | null;
}

/** An entry of fixtures/broken-apps/running.yaml. */
export interface Mutant {
  app: string;
  changes: readonly Change[];
  says: string;
  also?: readonly string[];
}

export const MUTANTS: Readonly<Record<string, Mutant>> = parse(
  await readFile("fixtures/broken-apps/running.yaml", "utf8"),
);

/** The requirement in a mutant's name. */
export const idOf = (name: string): string => /^[A-Z]+-\d+/.exec(name)?.[0] ?? "";

/** A copy of an app of fixtures/apps with changes, its page on a port that nobody uses. */
export async function appWith(app: string, changes: readonly Change[], into: string): Promise<string> {
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
    const text = await readFile(path, "utf8");
    if (find === undefined || !text.includes(find)) throw new Error(`${find} is not in ${file} of ${app}`);
    await writeFile(
      path,
      text.replace(find, () => put),
    );
  }
  return folder;
}

/** What the requirements make of an app. */
export async function judgedBy(
  requirements: readonly DynamicRequirement[],
  app: string,
  changes: readonly Change[] = [],
  seed = 1,
): Promise<readonly Judged[]> {
  const into = await mkdtemp(join(tmpdir(), "robot-mutant-"));
  const host = { env: process.env, now: () => Date.now(), signal: new AbortController().signal };
  const progress = { plan: () => {}, begin: () => {}, end: () => {} };
  try {
    const clean = await cleanEnvironment(resolve("artifacts/certification"), host, (_, work) => work());
    const folder = await appWith(app, changes, into);
    return (await gather(requirements, { folder, clean, into, host, progress, seed, thorough: false, jobs: 1 })).judged;
  } finally {
    await rm(into, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What comes of a mutant: of all requirements that the scenes of its own one show. */
export function judgedMutant(name: string): Promise<readonly Judged[]> {
  const { app, changes } = MUTANTS[name] as Mutant;
  const own = DYNAMIC.find(({ id }) => id === idOf(name));
  const told = DYNAMIC.filter(({ scenes }) => scenes.every((scene) => own?.scenes.includes(scene)));
  return judgedBy(told, app, changes);
}
