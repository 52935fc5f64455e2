import { nodesIn } from "../../../common/python/syntax-tree.ts";
import { findAppClass, runOf } from "../python/app-class.ts";
import type { Rule } from "../requirement.ts";

/** The daemon stops an app by its stop event: a loop that does not look at it goes on until it is killed. */
export const looksAtStopEvent: Rule = {
  id: "PKG-015",
  level: "SHOULD",
  section: "2.3",
  title: "A run that loops looks at its stop event",
  mutants: ["PKG-015-loops-for-ever", "PKG-015-looks-at-something-else"],
  explanation:
    "A stop sets stop_event, and the loop in run has to look at it: while not stop_event.is_set(). A run that never " +
    "uses its second parameter cannot notice a stop; the daemon kills it after the grace period. Passing the event on, or " +
    "using self.stop_event, counts.",
  example: {
    file: "my_app/main.py",
    wrong: "        while True:",
    right: "        while not stop_event.is_set():",
  },
  check: (app) => {
    const found = findAppClass(app);
    if ("skip" in found) return found;
    const run = runOf(found);
    if (run === undefined) return [];
    const nodes = nodesIn(run.definition.body);
    const loop = nodes.find((node) => node.kind === "While");
    const { positionalOnly, positional, variadic } = run.definition.parameters;
    const stopEvent = [...positionalOnly, ...positional][2]?.name;
    // With *args there is no name to look for.
    if (loop === undefined || stopEvent === undefined || variadic !== undefined) return [];
    const names = new Set([stopEvent, "stop_event"]);
    const looks = nodes.some(
      (node) =>
        (node.kind === "Name" && names.has(node.id)) || (node.kind === "Attribute" && node.attribute === "stop_event"),
    );
    if (looks) return [];
    const message = `run loops and never looks at ${stopEvent}: write while not ${stopEvent}.is_set(), so that a stop ends it.`;
    return [{ message, file: run.module.file, line: loop.line }];
  },
};
