import { type FunctionDef, type StmtNode, unparse } from "py-ast";
import type { App } from "../app/app.ts";
import { type AppClass, appClassOf } from "../python/app-class.ts";
import { parametersOf, takes } from "../python/signature.ts";
import type { Answer, Requirement } from "../requirement.ts";

type Run = FunctionDef | Extract<StmtNode, { nodeType: "AsyncFunctionDef" }>;

const RUN = "def run(self, robot, stop_event)";

/** `wrapped_run()` of the base class connects the robot and then calls `run` with it and the stop event. */
export const appClass: Requirement = {
  id: "PKG-006",
  level: "MUST",
  section: "2.3",
  title: `The class extends RobotApp and has ${RUN}, not async`,
  mutants: [
    "PKG-006-syntax-error",
    "PKG-006-print-of-python-2",
    "PKG-006-class-not-there",
    "PKG-006-no-base",
    "PKG-006-base-not-imported",
    "PKG-006-other-base",
    "PKG-006-no-run",
    "PKG-006-async-run",
    "PKG-006-static-run",
    "PKG-006-run-without-stop-event",
    "PKG-006-run-with-one-more",
    "PKG-006-run-swapped",
    "PKG-006-run-keyword-only",
  ],
  check: (app) => {
    const { main, className } = app;
    if (main.status === "broken") {
      return [{ message: `Syntax error: ${main.fault.message}.`, file: main.path, line: main.fault.line }];
    }
    const found = appClassOf(app);
    if ("skip" in found && main.status === "missing") return found;
    if ("skip" in found || (className !== undefined && found.definition.name !== className)) {
      const wanted = className === undefined ? "no class that extends RobotApp" : `no class ${className}`;
      const message = `It has ${wanted}: the entry point in pyproject.toml must name the class of the app, in this file.`;
      return [{ message, file: main.path, line: null }];
    }
    return baseOf(app, found) ?? runOf(app, found);
  },
};

/** What is wrong with the bases; undefined when RobotApp is one. */
function baseOf({ main }: App, { definition, lineage }: AppClass): Answer | undefined {
  if (lineage.extendsRobotApp) return undefined;
  const [foreign] = lineage.foreign.filter((name) => !name.startsWith("robot_sdk."));
  if (foreign !== undefined) return { skip: `${definition.name} extends ${foreign}, which only running it can follow` };
  const [base] = [...lineage.foreign, ...lineage.unknown];
  const bases =
    base === undefined ? "nothing" : lineage.unknown.includes(base) ? `${base}, which is not imported` : base;
  const message = `${definition.name} extends ${bases}; it must extend RobotApp: from robot_sdk import RobotApp.`;
  return [{ message, file: main.path, line: definition.lineno }];
}

/** What is wrong with `run`, which may stand in a class of the same module that the app's class extends. */
function runOf({ main }: App, { definition, lineage }: AppClass): Answer {
  const run = lineage.classes.flatMap(({ body }) => body.filter(isRun).slice(-1))[0];
  if (run === undefined && lineage.foreign.length > 0) {
    return { skip: `run may come with ${lineage.foreign[0]}, which only running it can follow` };
  }
  const fault = run === undefined ? `has no run: add ${RUN}` : faultOf(run);
  if (fault === undefined) return [];
  return [{ message: `${definition.name} ${fault}.`, file: main.path, line: (run ?? definition).lineno }];
}

function isRun(statement: StmtNode): statement is Run {
  return (
    (statement.nodeType === "FunctionDef" || statement.nodeType === "AsyncFunctionDef") && statement.name === "run"
  );
}

function faultOf(run: Run): string | undefined {
  if (run.nodeType === "AsyncFunctionDef") return `has an async run, of which nothing would be executed; write ${RUN}`;
  const bound = run.decorator_list.map((each) => unparse(each)).find((name) => /^(static|class)method$/.test(name));
  if (bound !== undefined) return `has @${bound} on run, which must be a method: ${RUN}`;
  const [, robot, stopEvent] = [...run.args.posonlyargs, ...run.args.args].map(({ arg }) => arg);
  const swapped = robot === "stop_event" || stopEvent === "robot";
  if (takes(3, run.args) && !swapped) return undefined;
  return `has run(${parametersOf(run.args)}); it is called with the robot and the stop event: ${RUN}`;
}
