import { type Expression, type PythonNode, walk } from "../../python/syntax-tree.ts";
import { findAppClass } from "../python/app-class.ts";
import type { Requirement } from "../requirement.ts";

/** Dashboards show the settings page before the app runs, so its address must be readable without running it. */
export const customAppUrl: Requirement = {
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
  check: (app) => {
    const found = findAppClass(app);
    if ("skip" in found) return found;
    const nodes = found.bases.classes.flatMap((each) => [...walk(each)]);
    return nodes.flatMap((node) => {
      const message = problemWith(assignedUrl(node));
      return message === undefined ? [] : [{ message, file: app.main.path, line: node.line }];
    });
  },
};

/** The value that a statement assigns to `custom_app_url` or to an attribute of that name. */
function assignedUrl(node: PythonNode): Expression | undefined {
  if (node.kind !== "Assign" && node.kind !== "AnnAssign") return undefined;
  const targets = node.kind === "Assign" ? node.targets : [node.target];
  const isUrl = (target: Expression) =>
    (target.kind === "Name" && target.id === "custom_app_url") ||
    (target.kind === "Attribute" && target.attribute === "custom_app_url");
  return targets.some(isUrl) ? node.value : undefined;
}

function problemWith(value: Expression | undefined): string | undefined {
  if (value === undefined || value.kind === "None") return undefined;
  const allowed = 'it must be None or a literal URL with a port, as "http://localhost:8042"';
  if (value.kind !== "String") return `custom_app_url is ${value.text}; ${allowed}, not computed.`;
  return hasPort(value.value) ? undefined : `custom_app_url is ${value.text}; ${allowed}, 1 to 65535.`;
}

/** Whether a text is an address with host and port. Read from the text because URL drops the default port. */
function hasPort(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const [, port] = /^https?:\/\/[^/?#]+:(\d+)(?:[/?#]|$)/.exec(text) ?? [];
  return Number(port) >= 1;
}
