import type { Finding, Requirement } from "../requirement.ts";

const PAGES = ["index.html", "style.css"];

/** The hub shows these two files as the page of the app's space. */
export const landingPage: Requirement = {
  id: "PKG-001",
  level: "MUST",
  section: "2.1",
  title: "The landing page: index.html and style.css at the root, not empty",
  mutants: ["PKG-001-no-page", "PKG-001-empty-style"],
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
