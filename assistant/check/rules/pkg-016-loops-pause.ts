import { type Call, nodesIn, type PythonNode, walk } from "../../../common/python/syntax-tree.ts";
import { findAppClass, runOf } from "../python/app-class.ts";
import type { AppModule, AppModules } from "../python/app-modules.ts";
import type { Rule } from "../requirement.ts";

/** Methods that return at once, whatever object they are called on: those of the robot, the stop event, NumPy, math and others. */
const NON_BLOCKING_METHODS =
  /^(?:set_target\w*|get_(?:current|present)\w*|antenna_touched|is_set|append|sin|cos|tan|sqrt|floor|ceil|time|monotonic|perf_counter|deg2rad|rad2deg|radians|degrees|array|zeros|eye|clip|linspace|uniform|random|randint|choice|copy|items|keys|values|get|format|info|debug|warning|error|as_matrix|from_euler|from_matrix)$/;
/** Functions that return at once, by the name they are called by: of the SDK, of Python, or imported from math and time. */
const NON_BLOCKING_FUNCTIONS =
  /^(?:create_head_pose|print|len|abs|min|max|range|int|float|str|bool|round|sum|list|tuple|dict|set|sorted|zip|enumerate|isinstance|type|sin|cos|sqrt|radians|monotonic|time|perf_counter)$/;

/** A loop without a pause takes a whole processor, which the daemon needs. */
export const loopsPause: Rule = {
  id: "PKG-016",
  level: "SHOULD",
  section: "2.4",
  title: "A loop of run pauses in each round",
  mutants: ["PKG-016-without-a-sleep", "PKG-016-waits-without-a-pause"],
  explanation:
    "A loop that sends targets or waits for the stop event without a pause takes a whole processor: the small computer of a " +
    "robot has few. The published example sleeps 0.02 s in each round. Calls that are not known to return at once count " +
    "as a pause.",
  example: {
    file: "my_app/main.py",
    wrong: "            robot.set_target(antennas=[0.3, -0.3])",
    right: "            robot.set_target(antennas=[0.3, -0.3])\n            time.sleep(0.02)",
  },
  check: (app) => {
    const found = findAppClass(app);
    if ("skip" in found) return found;
    const run = runOf(found);
    if (run === undefined) return [];
    return nodesIn(run.definition.body).flatMap((node) => {
      if (node.kind !== "While" || mayPause(node, run.module, app.modules)) return [];
      const message =
        "This loop never pauses, and takes a whole processor: end each round with stop_event.wait(0.02) or time.sleep(0.02).";
      return [{ message, file: run.module.file, line: node.line }];
    });
  },
};

/** Statements that can end a loop after some rounds. */
const MAY_END = /^(?:return|break|raise)\b/;
/** Statements and expressions that can wait; a `for` loop may wait for its next element. */
const MAY_WAIT = /^(?:await|yield|for|async)\b/;

/** Whether a round of a loop can wait, or can be the last one: only a loop that can do neither is reported. */
function mayPause(loop: PythonNode, module: AppModule, modules: AppModules): boolean {
  const seen = new Set<PythonNode>();
  const waits = (node: PythonNode): boolean => {
    if (node.kind === "With" || MAY_WAIT.test(node.text)) return true;
    return node.kind === "Call" && !returnsAtOnce(node);
  };
  const returnsAtOnce = (call: Call): boolean => {
    const { function: called } = call;
    if (called.kind === "Attribute") return NON_BLOCKING_METHODS.test(called.attribute);
    if (called.kind !== "Name") return false;
    if (NON_BLOCKING_FUNCTIONS.test(called.id)) return true;
    const own = modules.resolveGlobal(called.id, module);
    if (typeof own !== "object" || own.definition.kind !== "FunctionDef") return false;
    // Its body is being judged, or has been; a function that calls itself ends here.
    if (seen.has(own.definition)) return true;
    seen.add(own.definition);
    return !nodesIn(own.definition.body).some((node) => node.kind === "While" || waits(node));
  };
  return [...walk(loop)].some((node) => MAY_END.test(node.text) || waits(node));
}
