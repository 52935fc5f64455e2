import type { Finding } from "../../assistant/check/requirement.ts";
import { type DynamicRequirement, MAIN, type Observed } from "../requirements/requirement.ts";
import type { Scene, SceneEvent } from "../verdict/verdict.ts";

/**
 * What was observed, as findings in the app's files: the innermost line of its own in a traceback, else its main module.
 * What was observed several times is one finding.
 */
export function findingsOf(observed: readonly Observed[], module: string): Finding[] {
  const all = observed.map(({ message, errors = [], at }) => ({ message, ...(at ?? placeIn(errors, module)) }));
  return all.flatMap((finding, index) => {
    const same = all.filter(({ message, file, line }) => {
      return message === finding.message && file === finding.file && line === finding.line;
    });
    if (all.indexOf(same[0] as Finding) !== index) return [];
    return [same.length === 1 ? finding : { ...finding, message: `${finding.message} (${same.length} times)` }];
  });
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
