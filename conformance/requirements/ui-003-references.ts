import { type DynamicRequirement, NO_PAGE } from "./requirement.ts";

export const references: DynamicRequirement = {
  id: "UI-003",
  level: "SHOULD",
  section: "2.3",
  title: "All files that the page names are there, and its console shows no errors",
  mutants: ["UI-003-missing-script", "UI-003-script-throws"],
  scenes: ["first-run", "settings-requests"],
  judge({ app, facts: { page, console: shown } }) {
    if (app.page === null) return { skip: NO_PAGE };
    if (page === undefined || page.took === null) return { skip: "The page did not answer (UI-001)." };
    const missing = page.broken.map((url) => ({
      message: `The page names ${url}, which is not there. Put it into static/ and list that as package data.`,
      scene: "first-run",
    }));
    // A browser tells of missing files as well.
    const errors = missing.length > 0 ? [] : (shown ?? []);
    const told = errors.map((error) => ({
      message: `The page's console shows: ${error}.`,
      scene: "settings-requests",
    }));
    return { observed: [...missing, ...told] };
  },
};
