import { type ASTNodeUnion, type ExprNode, unparse, walk } from "py-ast";
import { appClassOf } from "../python/app-class.ts";
import { quote, type Requirement } from "../requirement.ts";

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
    const found = appClassOf(app);
    if ("skip" in found) return found;
    const nodes = found.lineage.classes.flatMap((each) => [...walk(each)]);
    return nodes.flatMap((node) => {
      const fault = faultOf(valueGiven(node));
      return fault === undefined || !("lineno" in node)
        ? []
        : [{ message: fault, file: app.main.path, line: node.lineno }];
    });
  },
};

/** The value that a statement gives `custom_app_url` or `self.custom_app_url`. */
function valueGiven(node: ASTNodeUnion): ExprNode | undefined {
  const targets = node.nodeType === "Assign" ? node.targets : node.nodeType === "AnnAssign" ? [node.target] : [];
  const given = targets.some(
    (target) =>
      (target.nodeType === "Name" && target.id === "custom_app_url") ||
      (target.nodeType === "Attribute" && target.attr === "custom_app_url"),
  );
  return given && (node.nodeType === "Assign" || node.nodeType === "AnnAssign") ? node.value : undefined;
}

function faultOf(value: ExprNode | undefined): string | undefined {
  if (value === undefined || (value.nodeType === "Constant" && value.value === null)) return undefined;
  const allowed = 'it must be None or a literal URL with a port, as "http://localhost:8042"';
  if (value.nodeType !== "Constant")
    return `custom_app_url is ${quote(unparse(value))}, which is computed; ${allowed}.`;
  return hasPort(value.value) ? undefined : `custom_app_url is ${unparse(value)}; ${allowed}, 1 to 65535.`;
}

/** Whether a value is an address with host and port. The port is read from the text: URL drops a scheme's own. */
function hasPort(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const [, port] = /^https?:\/\/[^/?#]+:(\d+)(?:[/?#]|$)/.exec(value) ?? [];
  return Number(port) >= 1;
}
