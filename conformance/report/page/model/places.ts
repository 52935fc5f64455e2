import type { Judgement, Scene, SceneEvent, Verdict } from "../../../verdict/verdict.ts";
import { STATUSES, type Status } from "./grades.ts";

/** Where in the report an address leads: `#LIFE-003`, `#status/fail`, `#scene/stop-in-mid-goto/3.20` (seconds). */
export type Place = { requirement: string } | { status: Status } | { scene: string; t: number };

/** `t` in seconds. */
export const linkTo = (scene: string, t: number): string => `#scene/${encodeURIComponent(scene)}/${t.toFixed(2)}`;

/** To the requirements of one status. */
export const linkToStatus = (status: Status): string => `#status/${status}`;

/** The place that an address names, or null when it names none. */
export function placeOf(hash: string, { results, scenes }: Pick<Verdict, "results" | "scenes">): Place | null {
  const name = decoded(hash.replace(/^#/, ""));
  if (results.some(({ id }) => id === name)) return { requirement: name };
  const status = STATUSES.find((each) => linkToStatus(each) === `#${name}`);
  if (status !== undefined) return { status };
  const [, scene, t] = /^scene\/(.+)\/(\d+(?:\.\d+)?)$/.exec(name) ?? [];
  return scene !== undefined && scenes.some(({ id }) => id === scene) ? { scene, t: Number(t) } : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Seconds before what a jump leads to, so that one sees it come. */
const RUN_UP = 0.5;

/** To where a scene becomes interesting: before that, the robot only wakes up. */
export function linkToScene({ id, events }: Pick<Scene, "id" | "events">): string {
  const first = events.find(({ kind }) => kind === "action" || kind === "slot");
  return linkTo(id, Math.max(0, (first?.t ?? 0) - RUN_UP));
}

/**
 * The link to where a finding shows: the moment of a scene that tells the same or names the requirement, otherwise the
 * first failure of its scenes, otherwise the first of them. Null when it rests on no scene.
 */
export function linkToFinding(
  { id, scenes: ids }: Pick<Judgement, "id" | "scenes">,
  message: string,
  scenes: readonly Scene[],
): string | null {
  const own = scenes.filter((scene) => ids.includes(scene.id));
  const found = own.flatMap((scene) =>
    scene.events.filter(({ kind }) => kind === "finding").map((event) => ({ scene, event })),
  );
  const that = (fits: (event: SceneEvent) => boolean) => found.find(({ event }) => fits(event));
  const best = that(({ text }) => text.includes(message)) ?? that(({ text }) => text.includes(id)) ?? found[0];
  if (best !== undefined) return linkTo(best.scene.id, Math.max(0, best.event.t - RUN_UP));
  return own[0] === undefined ? null : linkToScene(own[0]);
}

/** What to look at first: the first failure or warning that shows in a scene, otherwise the first scene. */
export function firstLook({ results, scenes }: Pick<Verdict, "results" | "scenes">): string | null {
  const shown = (wanted: Status) => results.find(({ status, scenes: ids }) => status === wanted && ids.length > 0);
  const bad = shown("fail") ?? shown("warn");
  const link = bad && linkToFinding(bad, bad.findings[0]?.message ?? bad.id, scenes);
  return link ?? (scenes[0] === undefined ? null : linkToScene(scenes[0]));
}
