import { type Call, type Expression, nodesIn, type Statement } from "../../../common/python/syntax-tree.ts";
import type { App } from "../app/app.ts";
import { appendBlock } from "../fix/python-text.ts";
import { type AppClass, findAppClass } from "../python/app-class.ts";
import { callsIn, methodCalls, withCalledFunctions } from "../python/calls.ts";
import { resolveName, type Scope } from "../python/scope.ts";
import type { Finding, Rule } from "../requirement.ts";

type If = Extract<Statement, { kind: "If" }>;
type Try = Extract<Statement, { kind: "Try" }>;

const INTERRUPTS = ["KeyboardInterrupt", "BaseException"];

/** Without the block `python -m <app_name>.main` does nothing; without `stop()` Ctrl-C does not end `run`. */
export const mainBlock: Rule = {
  id: "PKG-007",
  level: "MUST",
  section: "2.3",
  title: "A __main__ block makes the app, calls wrapped_run(), and stop() on KeyboardInterrupt",
  mutants: [
    "PKG-007-no-block",
    "PKG-007-no-instance",
    "PKG-007-run-instead-of-wrapped-run",
    "PKG-007-not-called",
    "PKG-007-other-exception",
    "PKG-007-no-stop",
    "PKG-007-no-variable",
    "PKG-007-stop-of-another",
  ],
  explanation:
    "The daemon runs the main module, so without the block nothing happens. wrapped_run() connects, calls run and " +
    "returns; Ctrl-C during it raises KeyboardInterrupt, after which stop() ends what still runs.",
  example: {
    file: "my_app/main.py",
    wrong: "    except KeyboardInterrupt:\n        pass",
    right: "    except KeyboardInterrupt:\n        app.stop()",
  },
  fixes: "adds the block when there is none",
  fix: (app) => {
    const found = findAppClass(app);
    if ("skip" in found || app.main.status !== "parsed" || found.main.tree.body.some(isMainGuard)) return [];
    return [{ file: app.main.path, text: appendBlock(app.main.text, blockFor(found.name)) }];
  },
  check: (app) => {
    const found = findAppClass(app);
    if ("skip" in found) return found;
    const findings = findingsOfStart(app, found);
    // Apps of other dialects have main blocks of any form: they are judged by running them.
    if (!app.dialect.prescribesForm || found.main.tree.body.every((each) => !isMainGuard(each))) return findings;
    const { scope, file } = found.main;
    const block = mainStatements(found);
    const starts = methodCalls(block, "wrapped_run");
    const [start] = starts;
    if (start === undefined || starts.some((each) => stopsOnInterrupt(block, each, scope))) return findings;
    const message =
      "After a KeyboardInterrupt in wrapped_run() stop() must be called: except KeyboardInterrupt: app.stop().";
    return [...findings, { message, file, line: start.line }];
  },
};

/** Why the main module does not run the app: it has no main block, or the block makes no app or does not call wrapped_run(). */
export function findingsOfStart({ dialect }: App, found: AppClass): Finding[] {
  const { main, definition } = found;
  const { scope, file } = main;
  const guard = main.tree.body.find(isMainGuard);
  if (guard === undefined) {
    const message = 'There is no if __name__ == "__main__": block; the daemon runs this file.';
    return [{ message, file, line: null }];
  }
  if (!dialect.prescribesForm) return [];
  const block = mainStatements(found);
  const messages: string[] = [];
  if (!callsIn(block).some((call) => resolveName(call.function, scope) === definition))
    messages.push(`The __main__ block creates no ${definition.name}: begin it with app = ${definition.name}().`);
  if (methodCalls(block, "wrapped_run").length === 0)
    messages.push("The __main__ block does not call app.wrapped_run().");
  return messages.map((message) => ({ message, file, line: guard.line }));
}

/** Whether a statement is `if __name__ == "__main__":`, in either order of the two sides. */
function isMainGuard(statement: Statement): statement is If {
  if (statement.kind !== "If" || statement.test.kind !== "Compare") return false;
  const { operands, operators } = statement.test;
  const [left, right] = operands;
  if (left === undefined || right === undefined || operators.length !== 1 || operators[0] !== "Eq") return false;
  return (isName(left) && isMain(right)) || (isMain(left) && isName(right));
}

const isName = (side: Expression) => side.kind === "Name" && side.id === "__name__";
const isMain = (side: Expression) => side.kind === "String" && side.value === "__main__";

/** The statements of the main block, with those of the functions that it calls. */
function mainStatements({ main }: AppClass): Statement[] {
  const guards = main.tree.body.filter(isMainGuard);
  return withCalledFunctions(
    guards.flatMap(({ body }) => body),
    main.scope,
  );
}

/**
 * Whether a `try` around the call, or around a call of the function that makes it, calls `stop()` of the same object when it
 * is interrupted.
 */
function stopsOnInterrupt(block: readonly Statement[], start: Call, scope: Scope): boolean {
  const receiver = receiverOf(start);
  const stops = (body: readonly Statement[]) => methodCalls(body, "stop").some((call) => receiverOf(call) === receiver);
  if (receiver === undefined) return false;
  const covers = ({ body, handlers, finalbody }: Try) =>
    callsIn(withCalledFunctions(body, scope)).includes(start) &&
    (stops(finalbody) || stops(handlers.find(({ type }) => catchesInterrupt(type))?.body ?? []));
  return nodesIn(block).some((node) => node.kind === "Try" && covers(node));
}

/** The object of a method call, as written; undefined for a temporary one: `App().stop()` stops a different app. */
function receiverOf({ function: called }: Call): string | undefined {
  return called.kind === "Attribute" && called.value.kind !== "Call" ? called.value.text : undefined;
}

/** Whether an `except` clause of this type catches a KeyboardInterrupt; one without a type catches everything. */
function catchesInterrupt(type: Expression | undefined): boolean {
  if (type === undefined) return true;
  const types = type.kind === "Tuple" ? type.elements : [type];
  return types.some((each) => each.kind === "Name" && INTERRUPTS.includes(each.id));
}

const blockFor = (className: string): string[] => [
  'if __name__ == "__main__":',
  `    app = ${className}()`,
  "    try:",
  "        app.wrapped_run()",
  "    except KeyboardInterrupt:",
  "        app.stop()",
];
