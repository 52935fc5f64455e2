import { DEFAULT_DIALECT, type Dialect } from "../../../robot/dialects/dialects.ts";
import { lineNumberOf } from "../app/parsed.ts";
import { valueAt } from "../app/pyproject.ts";
import { quote, type Rule } from "../requirement.ts";
import { pageLine } from "./pkg-012-shipped-page.ts";

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
    const { pyproject } = app;
    if (pyproject.status !== "parsed") return { skip: "there is no pyproject.toml that parses (PKG-002)" };
    const given = valueAt(pyproject.value.document, "project", "dependencies");
    if (pageLine(app) === null || !Array.isArray(given)) return [];
    const dependencies = given.map((each) => String(each).toLowerCase().replaceAll("_", "-"));
    const asksFor = (name: string) => dependencies.some((each) => new RegExp(`^\\s*${name}\\b`).test(each));
    const sdk = dependencies.find((each) => /^\s*robot-sdk\b/.test(each));
    if (sdk === undefined || /\[[^\]]*\bweb\b[^\]]*\]/.test(sdk) || asksFor("fastapi")) return [];
    const message = `The app has a page and depends on ${quote(sdk)}; write "robot-sdk[web]", which brings the web server.`;
    return [{ message, file, line: lineNumberOf(pyproject.text, /["']robot[-_]sdk/i) }];
  },
  fix: ({ pyproject }) =>
    pyproject.status === "parsed"
      ? [{ file, text: pyproject.text.replace(/(["'])(robot[-_]sdk)(?=[^\w[-])/i, "$1$2[web]") }]
      : [],
};
