import type { FunctionDef, Statement } from "../../python/syntax-tree.ts";
import type { App } from "../app/app.ts";
import { type AppClass, findAppClass } from "../python/app-class.ts";
import { acceptsPositional, parametersText } from "../python/signature.ts";
import type { CheckResult, Requirement } from "../requirement.ts";

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
      return [{ message: `Syntax error: ${main.error.message}.`, file: main.path, line: main.error.line }];
    }
    const found = findAppClass(app);
    if ("skip" in found && main.status === "missing") return found;
    if ("skip" in found || (className !== undefined && found.definition.name !== className)) {
      const wanted = className === undefined ? "no class that extends RobotApp" : `no class ${className}`;
      const message = `${main.path} has ${wanted}: the entry point in pyproject.toml must name the app's class in it.`;
      return [{ message, file: main.path, line: null }];
    }
    return checkBases(app, found) ?? checkRun(app, found);
  },
};

/** Checks that RobotApp is a base class; undefined when it is. */
function checkBases({ main }: App, { definition, bases }: AppClass): CheckResult | undefined {
  if (bases.extendsRobotApp) return undefined;
  const [external] = bases.external.filter((name) => !name.startsWith("robot_sdk."));
  if (external !== undefined) {
    return { skip: `${definition.name} extends ${external}, which only running the app can follow` };
  }
  const [base] = [...bases.external, ...bases.unknown];
  const names = base === undefined ? "nothing" : bases.unknown.includes(base) ? `${base}, which is not imported` : base;
  const message = `${definition.name} extends ${names}; it must extend RobotApp: from robot_sdk import RobotApp.`;
  return [{ message, file: main.path, line: definition.line }];
}

/** Checks `run`, which may belong to a base class in the same module. */
function checkRun({ main }: App, { definition, bases }: AppClass): CheckResult {
  const run = bases.classes.flatMap(({ body }) => body.filter(isRun).slice(-1))[0];
  if (run === undefined && bases.external.length > 0) {
    return { skip: `${bases.external[0]} may define run, which only running the app can follow` };
  }
  const problem = run === undefined ? `has no run: add ${RUN}` : problemWithRun(run);
  if (problem === undefined) return [];
  return [{ message: `${definition.name} ${problem}.`, file: main.path, line: (run ?? definition).line }];
}

function isRun(statement: Statement): statement is FunctionDef {
  return statement.kind === "FunctionDef" && statement.name === "run";
}

function problemWithRun(run: FunctionDef): string | undefined {
  if (run.isAsync) return `has an async run, whose body would never execute; write ${RUN}`;
  const bound = run.decorators.map(({ text }) => text).find((name) => /^(static|class)method$/.test(name));
  if (bound !== undefined) return `has @${bound} on run, which must be a method: ${RUN}`;
  const { positionalOnly, positional } = run.parameters;
  const [, robot, stopEvent] = [...positionalOnly, ...positional].map(({ name }) => name);
  const swapped = robot === "stop_event" || stopEvent === "robot";
  if (acceptsPositional(3, run.parameters) && !swapped) return undefined;
  return `has run(${parametersText(run.parameters)}); it is called with the robot and the stop event: ${RUN}`;
}
