import type { Expression } from "../../../common/python/syntax-tree.ts";
import { explicitPortOf } from "../../../robot/wire/apps/page-url.ts";
import { editLine } from "../fix/python-text.ts";
import { findAppClass } from "../python/app-class.ts";
import { allAssignments } from "../python/attribute-assignments.ts";
import type { Rule } from "../requirement.ts";

/** Dashboards show the settings page before the app runs, so its address must be readable without running it. */
export const customAppUrl: Rule = {
  id: "PKG-008",
  level: "MUST",
  section: "2.3",
  title: "custom_app_url is None or a literal URL with a port",
  mutants: [
    "PKG-008-no-port",
    "PKG-008-port-too-high",
    "PKG-008-no-scheme",
    "PKG-008-computed",
    "PKG-008-set-by-a-method",
    "PKG-008-number",
  ],
  explanation:
    "Dashboards link to the settings page before the app runs, so they read its address from the file: None for no " +
    "page, or a literal text with a port from 1 to 65535. The app serves the page on that port while it runs.",
  example: {
    file: "my_app/main.py",
    wrong: '    custom_app_url = "http://localhost"',
    right: '    custom_app_url = "http://localhost:8042"',
  },
  fixes: "adds a port to an address without one",
  fix: (app) => {
    const found = findAppClass(app);
    if ("skip" in found) return [];
    const assignment = allAssignments(found, "custom_app_url").find(({ value }) => isWithoutPort(value));
    const text = assignment === undefined ? null : (app.files.get(assignment.file) ?? null);
    if (assignment === undefined || text === null) return [];
    const addPort = (line: string) => line.replace(/(https?:\/\/[^/?#:"']+)/, "$1:8042");
    return [{ file: assignment.file, text: editLine(text, assignment.line, addPort) }];
  },
  check: (app) => {
    const found = findAppClass(app);
    if ("skip" in found) return found;
    const assignments = allAssignments(found, "custom_app_url");
    const isComputed = assignments.some(({ value }) => value.kind !== "None" && value.kind !== "String");
    if (isComputed && !app.dialect.prescribesForm)
      return { skip: "custom_app_url is computed, which only running the app can follow" };
    return assignments.flatMap(({ value, file, line }) => {
      const elsewhere = app.dialect.prescribesForm && file !== app.main.path && value.kind !== "None";
      const message = problemWith(value) ?? (elsewhere ? READ_FROM_MAIN : undefined);
      return message === undefined ? [] : [{ message, file, line }];
    });
  },
};

const READ_FROM_MAIN =
  "custom_app_url is set in another module; dashboards read it from main.py: assign it in the app's class there.";

const isWithoutPort = (value: Expression): boolean =>
  value.kind === "String" && /^https?:\/\/[^/?#:]+(?:[/?#]|$)/.test(value.value);

function problemWith(value: Expression): string | undefined {
  if (value.kind === "None") return undefined;
  const allowed = 'it must be None or a literal URL with a port, as "http://localhost:8042"';
  if (value.kind !== "String") return `custom_app_url is ${value.text}; ${allowed}, not computed.`;
  return explicitPortOf(value.value) !== null ? undefined : `custom_app_url is ${value.text}; ${allowed}, 1 to 65535.`;
}
