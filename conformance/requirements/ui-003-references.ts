import { type DynamicRequirement, NO_PAGE } from "./requirement.ts";

export const references: DynamicRequirement = {
  id: "UI-003",
  level: "SHOULD",
  section: "2.3",
  title: "All files that the page names are there",
  mutants: ["UI-003-missing-script"],
  scenes: ["first-run"],
  judge({ app, facts: { page } }) {
    if (app.page === null) return { skip: NO_PAGE };
    if (page === undefined || page.took === null) return { skip: "The page did not answer (UI-001)." };
    return {
      observed: page.broken.map((url) => ({
        message: `The page names ${url}, which is not there. Put it into static/ and list that as package data.`,
        scene: "first-run",
      })),
    };
  },
};
