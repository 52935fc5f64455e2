import { titleOf } from "../fix/app-names.ts";
import type { Finding, Rule } from "../requirement.ts";

const PAGES = ["index.html", "style.css"];

/** The hub shows these two files as the page of the app's space. */
export const landingPage: Rule = {
  id: "PKG-001",
  level: "MUST",
  section: "2.1",
  title: "The landing page: index.html and style.css at the root, not empty",
  mutants: ["PKG-001-no-page", "PKG-001-empty-style"],
  explanation:
    "The hub shows index.html as the page of the app's space, with style.css beside it. People decide there whether " +
    "they install the app. Both files are at the root, beside pyproject.toml, and say what the app does.",
  example: { file: "style.css", wrong: null, right: "body { font-family: system-ui; }" },
  fixes: "adds a plain page with the app's name",
  fix: ({ files, name = "my_app" }) =>
    PAGES.filter((file) => !files.has(file) || files.get(file)?.trim() === "").map((file) => ({
      file,
      text: file === "style.css" ? STYLE : page(titleOf(name)),
    })),
  check: ({ files }) =>
    PAGES.flatMap((file): Finding[] => {
      const text = files.get(file);
      if (text === undefined)
        return [{ message: `${file} is missing: add it beside pyproject.toml.`, file, line: null }];
      if (text?.trim() !== "") return [];
      const message = `${file} is empty: the hub shows it as the app's page, so describe the app in it.`;
      return [{ message, file, line: 1 }];
    }),
};

const STYLE = `body {
  margin: 3rem auto;
  max-width: 32rem;
  font: 17px/1.55 system-ui, sans-serif;
}
`;

const page = (title: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="stylesheet" href="style.css" />
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>An app for a desktop robot. Press <b>Install</b> on your robot's dashboard, then <b>Start</b>.</p>
    </main>
  </body>
</html>
`;
