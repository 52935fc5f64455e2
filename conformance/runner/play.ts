import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Evidence, Facts } from "../evidence/evidence.ts";
import type { Run } from "../evidence/run.ts";
import type { ScenePlan } from "../scenes/scene-plan.ts";
import type { Scene } from "../verdict/verdict.ts";
import type { AppUnderTest } from "./app-under-test.ts";
import type { Host } from "./host.ts";
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
      try {
        const stage = await playOne(plan, options);
        // Laying the robot to rest takes seconds in which the next scene can begin.
        closing.push(stage.stage.close());
        runs.push(...stage.stage.notes.runs);
        scenes.push(stage.stage.scene());
        Object.assign(facts, stage.stage.facts);
        if (stage.broken !== null) broken.set(plan.id, stage.broken);
      } catch (error) {
        options.host.signal.throwIfAborted();
        broken.set(plan.id, (error as Error).message);
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

/** Opens a stage and plays on it; `broken` says why that came to an early end. */
async function playOne(plan: ScenePlan, options: PlayOptions): Promise<{ stage: Stage; broken: string | null }> {
  const { app, venv, seed, thorough } = options;
  const folder = join(options.folder, plan.id);
  await mkdir(folder, { recursive: true });
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(new Error(`not over within ${SCENE_MS / 1000} s`)), SCENE_MS);
  const host = { ...options.host, signal: AbortSignal.any([options.host.signal, end.signal]) };
  try {
    const { page } = app;
    if (page !== null)
      await within(5000, `port ${page.port} of ${page.url} is free: stop the program that holds it`, () =>
        portIsFree(page.port),
      );
    const { id, title } = plan;
    const stage = await Stage.open({
      id,
      title,
      app,
      venv,
      folder,
      seed: seedOf(seed, id),
      thorough,
      host,
      setting: plan.setting ?? {},
    });
    try {
      await plan.play(stage);
      return { stage, broken: null };
    } catch (error) {
      if (options.host.signal.aborted) await stage.close();
      options.host.signal.throwIfAborted();
      return { stage, broken: `${(error as Error).message}\n${stage.daemonSaid()}` };
    }
  } finally {
    clearTimeout(timer);
  }
}

/** A seed of each scene's own, so that it replays alone as it does among the others (FNV-1a). */
function seedOf(seed: number, id: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
