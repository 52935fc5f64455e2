import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Evidence } from "../evidence/evidence.ts";
import type { DynamicRequirement } from "../requirements/requirement.ts";
import { installApart } from "../runner/environment.ts";
import type { Host } from "../runner/host.ts";
import { type PlayOptions, play } from "../runner/play.ts";
import { firstRun } from "../scenes/first-run.ts";
import type { ScenePlan } from "../scenes/scene-plan.ts";
import { SCENES } from "../scenes/scenes.ts";
import { type Judged, judge, skipped } from "./judge.ts";

/** How an app is to be run. */
export interface GatherOptions extends Pick<PlayOptions, "seed" | "thorough" | "jobs"> {
  /** The app's folder. */
  folder: string;
  /** The environment to begin with. */
  clean: string;
  /** A folder for all that comes of it. */
  into: string;
  host: Host;
  progress: Progress;
}

/** What a person is shown while it goes on. */
export interface Progress {
  /** So many more steps are to come. */
  plan(steps: number): void;
  begin(step: string): void;
  end(step: string): void;
}

/** What was found out about an app, and what each requirement makes of it. */
export interface Gathered {
  evidence: Evidence | null;
  judged: readonly Judged[];
}

/** The scenes that requirements need, in the order in which they are played. */
export function scenesFor(requirements: readonly DynamicRequirement[]): ScenePlan[] {
  const wanted = new Set(requirements.flatMap(({ scenes }) => scenes));
  return SCENES.filter(({ id }) => wanted.has(id));
}

/**
 * Installs an app, runs it in all scenes that the requirements need, and judges them. Of an app that cannot be
 * installed, or never connects, the rest cannot be told.
 * @throws HarnessError; the host's signal's reason
 */
export async function gather(requirements: readonly DynamicRequirement[], options: GatherOptions): Promise<Gathered> {
  const { folder, clean, into, host, progress } = options;
  const plans = scenesFor(requirements);
  const rest = plans.filter((plan) => plan !== firstRun);
  progress.plan(plans.length === 0 ? 1 : 2 + rest.length);
  await mkdir(into, { recursive: true });
  progress.begin("install");
  const { app, venv, facts, imports } = await installApart(clean, folder, join(into, "install"), host);
  progress.end("install");
  if (app === null) {
    return { evidence: null, judged: requirements.map((each) => notInstalled(each, facts.refusal ?? "")) };
  }
  const how: PlayOptions = {
    ...options,
    app,
    venv,
    folder: join(into, "scenes"),
    onScene: (id, what) => (what === "begins" ? progress.begin(id) : progress.end(id)),
  };
  const begun = await play(plans.length === 0 ? [] : [firstRun], how);
  const connected = begun.runs.some(({ connectedAt }) => connectedAt !== null);
  const played = rest.filter(({ needsPage }) => connected && !(needsPage && app.page === null));
  progress.plan(played.length - rest.length);
  const more = await play(played, how);
  const evidence: Evidence = {
    app,
    runs: [...begun.runs, ...more.runs],
    scenes: [...begun.scenes, ...more.scenes],
    facts: { install: facts, imports, ...begun.facts, ...more.facts },
    broken: new Map([...begun.broken, ...more.broken]),
  };
  const why = "The app does not connect to the daemon (LIFE-001), so this cannot be told.";
  const told = (each: DynamicRequirement) =>
    connected || each.scenes.length === 0 || begun.broken.size > 0 || each.id === "LIFE-001";
  return { evidence, judged: requirements.map((each) => (told(each) ? judge(each, evidence) : skipped(each, why))) };
}

function notInstalled(requirement: DynamicRequirement, refusal: string): Judged {
  if (requirement.id !== "PKG-009") return skipped(requirement, "The app could not be installed (PKG-009).");
  const observed = [{ message: refusal }];
  const { judgement } = skipped(requirement, refusal);
  const findings = [{ message: refusal, file: "pyproject.toml", line: null }];
  return { requirement, observed, judgement: { ...judgement, status: "fail", reason: null, findings } };
}
