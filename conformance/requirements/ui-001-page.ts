import { PAGE_LIMIT } from "../scenes/page/fetch-page.ts";
import { type DynamicRequirement, NO_PAGE } from "./requirement.ts";

export const page: DynamicRequirement = {
  id: "UI-001",
  level: "MUST",
  section: "2.3",
  title: "With custom_app_url set, GET / on its port answers 200 with HTML within 15 s",
  mutants: ["UI-001-no-index"],
  scenes: ["first-run"],
  judge({ app, facts }) {
    if (app.page === null) return { skip: NO_PAGE };
    if (facts.page === undefined) return { skip: "The app did not run." };
    const { answer, took } = facts.page;
    if (took !== null) {
      return { observed: [], measured: [{ name: "connection to page", value: took, unit: "s", limit: PAGE_LIMIT }] };
    }
    const message = `GET ${app.page.url} gave ${answer} within ${PAGE_LIMIT} s. static/index.html must be in the package, and run() must not end the server.`;
    return { observed: [{ message, scene: "first-run" }] };
  },
};
