import type { Finding } from "../../assistant/check/requirement.ts";
import { type DynamicRequirement, MAIN, type Observed } from "../requirements/requirement.ts";
import type { Scene, SceneEvent } from "../verdict/verdict.ts";

/** What was observed, as findings in the app's files: the innermost line of its own in a traceback, else its main module. */
export function findingsOf(observed: readonly Observed[], module: string): Finding[] {
  return observed.map(({ message, errors = [], at }) => ({ message, ...(at ?? placeIn(errors, module)) }));
}

function placeIn(errors: readonly string[], module: string): Pick<Finding, "file" | "line"> {
  const own = module.split(".")[0] ?? module;
  const frames = errors.flatMap((line) => {
    const [, path = "", number] = /^\s*File "([^"]+)", line (\d+)/.exec(line) ?? [];
    const at = path.lastIndexOf(`/${own}/`);
    return at < 0 ? [] : [{ file: path.slice(at + 1), line: Number(number) }];
  });
  return frames.at(-1) ?? MAIN(module);
}

/** The scenes with what was observed in them among their events. */
export function markScenes(
  scenes: readonly Scene[],
  opinions: readonly { requirement: DynamicRequirement; observed: readonly Observed[] }[],
): Scene[] {
  const events = opinions.flatMap(({ requirement: { id, level }, observed }) =>
    observed.map(({ message, scene, t = 0 }) => {
      const severity = level === "MUST" ? "error" : "warning";
      const event: SceneEvent = { t, kind: "finding", state: null, level: severity, text: `${id}: ${message}` };
      return { scene, event };
    }),
  );
  return scenes.map((scene) => {
    const own = events.flatMap((each) => (each.scene === scene.id ? [each.event] : []));
    return { ...scene, events: [...scene.events, ...own].sort((one, other) => one.t - other.t) };
  });
}
