import { type ClassDef, type FunctionDef, nodesIn } from "../../../common/python/syntax-tree.ts";
import { DEFAULT_DIALECT, type Dialect } from "../../../robot/dialects/dialects.ts";
import type { App } from "../app/app.ts";
import { editLine, importFrom } from "../fix/python-text.ts";
import { type AppClass, findAppClass, isRun, runOf } from "../python/app-class.ts";
import { scopeOf } from "../python/scope.ts";
import { acceptsPositional, parametersText } from "../python/signature.ts";
import type { CheckResult, FileEdit, Rule } from "../requirement.ts";

const runIn = ({ robotParameter }: Dialect) => `def run(self, ${robotParameter}, stop_event)`;
const titleIn = (dialect: Dialect) => `The class extends ${dialect.sdk.appClass} and has ${runIn(dialect)}, not async`;

/** `wrapped_run()` of the base class connects the robot and then calls `run` with it and the stop event. */
export const appClass: Rule = {
  id: "PKG-006",
  level: "MUST",
  section: "2.3",
  title: titleIn(DEFAULT_DIALECT),
  titleIn,
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
  explanation:
    "The entry point names the app's class. wrapped_run() of its base class connects to the robot and calls " +
    "run(robot, stop_event) once; the app ends when run returns. An async run would only make a coroutine that " +
    "nobody awaits. The loop in run polls stop_event, because that is how the daemon stops an app.",
  example: {
    file: "my_app/main.py",
    wrong: "    async def run(self, robot, stop_event):",
    right: "    def run(self, robot, stop_event):",
  },
  fixes: "adds the base class and its import, and removes async from a run that awaits nothing",
  fix: (app) => fixesOf(app),
  check: (app) => {
    const { main, entryPoint } = app;
    const className = entryPoint?.className;
    if (main.status === "broken") {
      return [{ message: `Syntax error: ${main.error.message}.`, file: main.path, line: main.error.line }];
    }
    const found = findAppClass(app);
    if ("skip" in found && main.status === "missing") return found;
    if ("skip" in found || (className !== undefined && found.name !== className)) {
      const imported = className === undefined ? null : importOf(className, app);
      if (imported !== null && !app.dialect.prescribesForm)
        return { skip: `${className} is imported from ${imported}, which only running the app can follow` };
      const wanted =
        className === undefined
          ? `no class that extends ${app.dialect.sdk.appClass}`
          : `no class ${className}${imported === null ? "" : `, which it imports from ${imported}`}`;
      const message = `${main.path} has ${wanted}: the entry point in pyproject.toml must name the app's class in it.`;
      return [{ message, file: main.path, line: null }];
    }
    return checkBases(app, found) ?? checkRun(app, found);
  },
};

/** The module that the main module imports its class from; null when it imports none of that name. */
function importOf(className: string, { main }: App): string | null {
  const found = main.status === "parsed" ? scopeOf(main.value).names.get(className) : undefined;
  return typeof found === "string" && found.endsWith(`.${className}`) ? found.slice(0, -className.length - 1) : null;
}

/** Checks that the dialect's base class of apps is one; undefined when it is. */
function checkBases({ dialect: { sdk } }: App, { definition, module, bases }: AppClass): CheckResult | undefined {
  if (bases.extendsRobotApp) return undefined;
  const [external] = bases.external.filter((name) => !name.startsWith(`${sdk.module}.`));
  if (external !== undefined) {
    return { skip: `${definition.name} extends ${external}, which only running the app can follow` };
  }
  const [base] = [...bases.external, ...bases.unknown];
  const names = base === undefined ? "nothing" : bases.unknown.includes(base) ? `${base}, which is not imported` : base;
  const message = `${definition.name} extends ${names}; it must extend ${sdk.appClass}: from ${sdk.module} import ${sdk.appClass}.`;
  return [{ message, file: module.file, line: definition.line }];
}

/** Checks `run`, which may belong to a base class of the app. */
function checkRun({ dialect }: App, found: AppClass): CheckResult {
  const { definition, bases } = found;
  const located = runOf(found);
  const run = located?.definition;
  if (run === undefined && bases.external.length > 0) {
    return { skip: `${bases.external[0]} may define run, which only running the app can follow` };
  }
  if (run === undefined && bases.classes.some((each) => bindsRun(each.definition))) {
    return { skip: `${definition.name} binds run otherwise than by def, which only running the app can follow` };
  }
  const problem = run === undefined ? `has no run: add ${runIn(dialect)}` : problemWithRun(run, dialect);
  if (problem === undefined) return [];
  const { file } = (located ?? found).module;
  return [{ message: `${definition.name} ${problem}.`, file, line: (run ?? definition).line }];
}

/** Whether a class assigns `run`, or defines it under a condition. */
function bindsRun({ body }: ClassDef): boolean {
  const others = body.filter(({ kind }) => kind !== "FunctionDef" && kind !== "ClassDef");
  return nodesIn(others).some((node) => {
    if (node.kind === "FunctionDef") return isRun(node);
    const targets = node.kind === "Assign" ? node.targets : node.kind === "AnnAssign" ? [node.target] : [];
    return targets.some((target) => target.kind === "Name" && target.id === "run");
  });
}

function problemWithRun(run: FunctionDef, dialect: Dialect): string | undefined {
  const wanted = runIn(dialect);
  if (run.isAsync) return `has an async run, whose body would never execute; write ${wanted}`;
  const bound = run.decorators.map(({ text }) => text).find((name) => /^(static|class)method$/.test(name));
  if (bound !== undefined) return `has @${bound} on run, which must be a method: ${wanted}`;
  const { positionalOnly, positional } = run.parameters;
  const [, robot, stopEvent] = [...positionalOnly, ...positional].map(({ name }) => name);
  const swapped = robot === "stop_event" || stopEvent === dialect.robotParameter;
  if (acceptsPositional(3, run.parameters) && !swapped) return undefined;
  return `has run(${parametersText(run.parameters)}); it is called with the robot and the stop event: ${wanted}`;
}

function fixesOf(app: App): readonly FileEdit[] {
  const { main } = app;
  const { module: sdk, appClass: base } = app.dialect.sdk;
  const found = findAppClass(app);
  if (main.status !== "parsed" || "skip" in found) return [];
  const edit = (text: string): FileEdit[] => [{ file: main.path, text }];
  const { bases, definition, module } = found;
  if (module.file !== main.path) return [];
  if (bases.extendsRobotApp) {
    const run = definition.body.findLast(isRun);
    // Without its async, a run that awaits something would be a syntax error.
    if (run?.isAsync !== true || /\b(?:await|async)\b/.test(run.text.replace(/\basync\b/, ""))) return [];
    return edit(editLine(main.text, run.line, (line) => line.replace(/\basync\s+def\b/, "def")));
  }
  if (bases.unknown.includes(base)) return edit(importFrom(sdk, base, main.text, module.tree));
  if (definition.bases.length > 0) return [];
  const header = new RegExp(`\\bclass\\s+${definition.name}\\s*(?:\\(\\s*\\))?\\s*:`);
  const extend = (line: string) => line.replace(header, `class ${definition.name}(${base}):`);
  const extended = editLine(main.text, definition.line, extend);
  const isImported = module.tree.body.some(
    (each) => each.kind === "ImportFrom" && each.names.some(({ name, alias }) => (alias ?? name) === base),
  );
  return edit(isImported ? extended : importFrom(sdk, base, extended, module.tree));
}
