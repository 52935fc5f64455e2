import { type Call, type ExprNode, type StmtNode, unparse, walk } from "py-ast";
import { appClassOf } from "../python/app-class.ts";
import { callsIn, methodCalls, reachedFrom } from "../python/calls.ts";
import { isMainGuard } from "../python/main-guard.ts";
import { meaningOf } from "../python/scope.ts";
import type { Finding, Requirement } from "../requirement.ts";

type Try = Extract<StmtNode, { nodeType: "Try" }>;

const INTERRUPTS = ["KeyboardInterrupt", "BaseException"];

/** Without the block `python -m <app_name>.main` does nothing; without `stop()` Ctrl-C leaves `run` going. */
export const mainBlock: Requirement = {
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
  check: (app) => {
    const found = appClassOf(app);
    if ("skip" in found) return found;
    const { module, scope, definition } = found;
    const file = app.main.path;
    const guards = module.body.filter(isMainGuard);
    const [guard] = guards;
    if (guard === undefined) {
      return [
        { message: 'There is no if __name__ == "__main__": block; the daemon runs this file.', file, line: null },
      ];
    }
    const block = reachedFrom(
      guards.flatMap(({ body }) => body),
      scope,
    );
    const findings: Finding[] = [];
    const say = (message: string, line: number) => findings.push({ message, file, line });
    if (!callsIn(block).some(({ func }) => meaningOf(func, scope) === definition)) {
      say(`The __main__ block makes no ${definition.name}: begin it with app = ${definition.name}().`, guard.lineno);
    }
    const [start] = methodCalls(block, "wrapped_run");
    if (start === undefined) say("The __main__ block does not call app.wrapped_run().", guard.lineno);
    else if (!stopsOnInterrupt(block, start)) {
      say(
        "After a KeyboardInterrupt in wrapped_run() stop() must be called: except KeyboardInterrupt: app.stop().",
        start.lineno,
      );
    }
    return findings;
  },
};

/** Whether a `try` around the call ends in `stop()` of the same object when it is interrupted. */
function stopsOnInterrupt(block: readonly StmtNode[], start: Call): boolean {
  const receiver = receiverOf(start);
  const stops = (body: readonly StmtNode[]) => methodCalls(body, "stop").some((call) => receiverOf(call) === receiver);
  if (receiver === undefined) return false;
  const covers = ({ body, handlers, finalbody }: Try) =>
    callsIn(body).includes(start) &&
    (stops(finalbody) || stops(handlers.find(({ type }) => catchesInterrupt(type))?.body ?? []));
  const tries = block.flatMap((each) => [...walk(each)]).filter((node) => node.nodeType === "Try");
  return tries.some(covers);
}

/** The object of a method call, as written; undefined when it is made on the spot: `App().stop()` stops nobody. */
function receiverOf({ func }: Call): string | undefined {
  return func.nodeType === "Attribute" && func.value.nodeType !== "Call" ? unparse(func.value) : undefined;
}

/** Whether an `except` clause of this type takes a KeyboardInterrupt; one without a type takes everything. */
function catchesInterrupt(type: ExprNode | undefined): boolean {
  if (type === undefined) return true;
  const types = type.nodeType === "Tuple" ? type.elts : [type];
  return types.some((each) => each.nodeType === "Name" && INTERRUPTS.includes(each.id));
}
