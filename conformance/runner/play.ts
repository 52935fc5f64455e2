import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Evidence, Facts } from "../evidence/evidence.ts";
import type { Run } from "../evidence/run.ts";
import type { ScenePlan } from "../scenes/scene-plan.ts";
import type { Scene } from "../verdict/verdict.ts";
import type { AppUnderTest } from "./app-under-test.ts";
import { HarnessError, type Host } from "./host.ts";
import { portIsFree } from "./ports.ts";
import { Stage } from "./stage.ts";
import { within } from "./waiting.ts";

export interface PlayOptions {
  app: AppUnderTest;
  venv: string;
  /** A folder for all that the scenes need. */
  folder: string;
  seed: number;
  thorough: boolean;
  /** How many scenes run at a time; those of an app with a page run one after the other, since they share its port. */
  jobs: number;
  host: Host;
  /** Called when a scene begins, and when it ends. */
  onScene(id: string, what: "begins" | "ends"): void;
}

const PORT_MS = 5000;
/** Far longer than any scene takes whose deadlines all pass. */
const SCENE_MS = 240_000;

/**
 * Plays scenes, each with a daemon and a robot of its own. One that breaks does not keep the others from being played.
 * @throws the host's signal's reason
 */
export async function play(plans: readonly ScenePlan[], options: PlayOptions): Promise<Evidence> {
  const runs: Run[] = [];
  const scenes: Scene[] = [];
  const facts: Partial<Facts> = {};
  const broken = new Map<string, string>();
  const closing: Promise<void>[] = [];
  const waiting = [...plans];
  const worker = async (): Promise<void> => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
      options.host.signal.throwIfAborted();
      options.onScene(plan.id, "begins");
      let outcome = await playOne(plan, options, "");
      // What the harness failed at says nothing about the app, so this is no second chance for it.
      if (outcome.broken !== null) {
        if (outcome.stage) closing.push(outcome.stage.close());
        outcome = await playOne(plan, options, outcome.broken);
      }
      const { stage, broken: why } = outcome;
      if (why !== null) broken.set(plan.id, why);
      if (stage !== null) {
        // Laying the robot to rest takes seconds in which the next scene can begin.
        closing.push(stage.close());
        runs.push(...stage.notes.runs);
        scenes.push(stage.scene());
        Object.assign(facts, stage.facts);
      }
      options.onScene(plan.id, "ends");
    }
  };
  const jobs = options.app.page === null ? options.jobs : 1;
  try {
    await Promise.all(Array.from({ length: jobs }, worker));
  } finally {
    await Promise.allSettled(closing);
  }
  const order = (id: string) => plans.findIndex((plan) => plan.id === id);
  scenes.sort((one, other) => order(one.id) - order(other.id));
  runs.sort((one, other) => order(one.scene) - order(other.scene));
  return { app: options.app, runs, scenes, facts, broken };
}

/** A stage that was played on; `broken` says why that came to an early end, or none was to be had. */
interface Played {
  stage: Stage | null;
  broken: string | null;
}

/** @param before why the attempt before this one broke; empty for the first */
async function playOne(plan: ScenePlan, options: PlayOptions, before: string): Promise<Played> {
  const { app, venv, seed, thorough } = options;
  const folder = join(options.folder, before === "" ? plan.id : `${plan.id}-again`);
  await mkdir(folder, { recursive: true });
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(new Error(`not over within ${SCENE_MS / 1000} s`)), SCENE_MS);
  const host = { ...options.host, signal: AbortSignal.any([options.host.signal, end.signal]) };
  const { id, title, setting = {} } = plan;
  let stage: Stage | null = null;
  try {
    await freeOf(app);
    stage = await Stage.open({ id, title, app, venv, folder, seed: seedOf(seed, id), thorough, host, setting });
    if (before !== "") stage.act(`a second attempt, since the harness failed at the first: ${before}`);
    await plan.play(stage);
    const { disturbance } = stage.notes;
    return { stage, broken: disturbance };
  } catch (error) {
    if (options.host.signal.aborted) await stage?.close();
    options.host.signal.throwIfAborted();
    return { stage, broken: `${(error as Error).message}\n${stage?.daemonSaid() ?? ""}`.trim() };
  } finally {
    clearTimeout(timer);
  }
}

/** @throws HarnessError when somebody else holds the port of the app's page */
async function freeOf({ page }: AppUnderTest): Promise<void> {
  if (page === null) return;
  await within(PORT_MS, "", () => portIsFree(page.port)).catch(() => {
    throw new HarnessError(`port ${page.port} of ${page.url} is taken: stop the program that holds it.`);
  });
}

/** A seed of each scene's own, so that it replays alone as it does among the others (FNV-1a). */
function seedOf(seed: number, id: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
