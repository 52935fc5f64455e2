import { closestMatch } from "../../common/closest-match.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Rule } from "./requirement.ts";
import { REQUIREMENTS } from "./requirements.ts";

interface Selection {
  /** Ids, or beginnings of ids; undefined for all rules. */
  select?: readonly string[] | undefined;
  ignore?: readonly string[] | undefined;
}

/**
 * The rules that a selection leaves, in the registry's order.
 * @param where names the source of the selection in a message, for example `--select`
 * @throws WorkbenchError `usage` for what no rule begins with, and for a selection without a rule
 */
export function selectRules({ select, ignore = [] }: Selection, where = "--select and --ignore"): readonly Rule[] {
  for (const selector of [...(select ?? []), ...ignore]) requireKnown(selector, where);
  const named = ({ id }: Rule, selectors: readonly string[]) => selectors.some((each) => begins(id, each));
  const rules = REQUIREMENTS.filter((rule) => (select === undefined || named(rule, select)) && !named(rule, ignore));
  if (rules.length === 0) throw new WorkbenchError("usage", `${where} leave no rule to check.`);
  return rules;
}

/** The rule of an id. @throws WorkbenchError `usage` with the id that may have been meant */
export function ruleOf(id: string): Rule {
  const rule = REQUIREMENTS.find((each) => each.id === id.toUpperCase());
  if (rule !== undefined) return rule;
  if (/^(?:LIFE|MOT|RES|UI)-\d|^PKG-0(?:09|10)$/i.test(id))
    throw new WorkbenchError("usage", `${id} needs the app to run: certify judges it, docs/certifying.md explains it.`);
  throw unknownRule(id, "--explain");
}

function requireKnown(selector: string, where: string): void {
  if (!REQUIREMENTS.some(({ id }) => begins(id, selector))) throw unknownRule(selector, where);
}

const begins = (id: string, selector: string): boolean => id.startsWith(selector.toUpperCase());

function unknownRule(given: string, where: string): WorkbenchError {
  const ids = REQUIREMENTS.map(({ id }) => id);
  const near = closestMatch(given, ids);
  const next =
    near === undefined ? "check --list shows all rules." : `Did you mean ${near}? check --list shows all rules.`;
  return new WorkbenchError("usage", `${where}: there is no rule ${JSON.stringify(given)}. ${next}`);
}
