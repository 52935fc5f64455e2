import { normalizeName, parseRequirement } from "../../../common/python/project/requirement.ts";
import { DEFAULT_DIALECT, type Dialect } from "../../../robot/dialects/dialects.ts";
import { lineNumberOf } from "../app/parsed.ts";
import { lineNumberOfKey } from "../fix/toml-text.ts";
import { quote, type Rule } from "../requirement.ts";
import { servedPage } from "./pkg-012-shipped-page.ts";

const file = "pyproject.toml";

const titleIn = ({ sdk }: Dialect) => `An app with a page depends on ${sdk.pageRequirement}`;

/** Daemons install the extra for all apps; other environments install what the app asks for. */
export const webExtra: Rule = {
  id: "PKG-013",
  level: "SHOULD",
  section: "2.3",
  title: titleIn(DEFAULT_DIALECT),
  titleIn,
  mutants: ["PKG-013-no-extra"],
  explanation:
    "The page of custom_app_url is served by FastAPI and uvicorn, which the SDK installs with its extra web. Every " +
    "environment of a daemon has them; an app that says what it needs also runs in any other environment.",
  example: { file, wrong: 'dependencies = ["robot-sdk"]', right: 'dependencies = ["robot-sdk[web]"]' },
  fixes: "adds the extra to the dependency",
  check: (app) => {
    const { pyproject, dialect } = app;
    if (pyproject.status !== "parsed") return { skip: "there is no pyproject.toml that parses (PKG-002)" };
    if (servedPage(app) === null) return [];
    const { dependencies } = pyproject.value;
    if (dependencies === null) return { skip: "pyproject.toml does not list the dependencies" };
    const { distribution, pageRequirement } = dialect.sdk;
    const onSdk = dependencies.filter((each) => isFor(distribution, each));
    const [first] = onSdk;
    if (first === undefined) {
      const message = `The app has a page and does not depend on ${distribution}; add ${quote(pageRequirement)} to the dependencies, which brings the web server.`;
      return [{ message, file, line: lineNumberOf(pyproject.text, /^\s*dependencies\s*=/) }];
    }
    const wanted = extrasOf(pageRequirement);
    const hasExtras = onSdk.some((each) => wanted.every((extra) => extrasOf(each).includes(extra)));
    if (hasExtras || dependencies.some((each) => isFor("fastapi", each))) return [];
    const message = `The app has a page and depends on ${quote(first)}; write ${quote(pageRequirement)}, which brings the web server.`;
    const { start, text } = dependenciesIn(pyproject.text);
    const line = lineNumberOf(text, new RegExp(`["']\\s*${patternOf(distribution)}`, "i"));
    return [{ message, file, line: line === null ? null : line + start }];
  },
  fix: ({ pyproject, dialect }) => {
    const { distribution, pageRequirement } = dialect.sdk;
    const extras = extrasOf(pageRequirement);
    if (pyproject.status !== "parsed" || extras.length === 0) return [];
    const withoutExtras = new RegExp(`(["']\\s*)(${patternOf(distribution)})(?!\\s*\\[)`, "i");
    const { before, text } = dependenciesIn(pyproject.text);
    return [{ file, text: before + text.replace(withoutExtras, `$1$2[${extras.join(",")}]`) }];
  },
};

/** The text of a pyproject.toml from its dependencies on; `start` is the number of lines before. */
function dependenciesIn(text: string): { before: string; start: number; text: string } {
  const start = (lineNumberOfKey(text, "project", "dependencies") ?? 1) - 1;
  const before = text.split("\n").slice(0, start);
  const length = before.reduce((sum, line) => sum + line.length + 1, 0);
  return { before: text.slice(0, length), start, text: text.slice(length) };
}

/**
 * Matches the name of a distribution as people may write it: in any case, with runs of - _ . for a hyphen
 * (https://packaging.python.org/specifications/name-normalization/). A longer name does not match.
 */
const patternOf = (distribution: string): string => `${distribution.split("-").join("[-_.]+")}(?![\\w.-])`;

/** Whether a dependency is one on a distribution. */
const isFor = (distribution: string, dependency: string): boolean =>
  normalizeName(parseRequirement(dependency)?.name ?? "") === distribution;

/** The extras of a dependency, as `["web"]` of `robot-sdk[web]>=0.1`. */
const extrasOf = (dependency: string): string[] =>
  (parseRequirement(dependency)?.extras ?? []).map((each) => each.toLowerCase());
