import { type DynamicRequirement, endOf, NO_PAGE } from "./requirement.ts";

export const robustRoutes: DynamicRequirement = {
  id: "UI-004",
  level: "SHOULD",
  section: "2.3",
  title: "Random requests to the settings routes give no 5xx and do not end the app",
  mutants: ["UI-004-trusts-the-number"],
  scenes: ["settings-requests"],
  judge({ app, facts: { requests }, runs }) {
    if (app.page === null) return { skip: NO_PAGE };
    const [run] = runs;
    if (requests === undefined || run === undefined) return { skip: "The app did not run." };
    if (requests.sent === 0) return { skip: "The settings page has no routes." };
    const [first] = requests.failed;
    const failed = `${requests.failed.length} of ${requests.sent} random requests failed; ${first}. Check what comes in, as with a pydantic model.`;
    const ended = `The app ${endOf(run)} under random requests to its settings page.`;
    return {
      observed: [
        ...(first === undefined ? [] : [{ message: failed, scene: run.scene, errors: run.lastErrors }]),
        ...(run.askedAt === null && run.exit?.code !== 0
          ? [{ message: ended, scene: run.scene, t: run.endedAt ?? 0 }]
          : []),
      ],
      measured: [{ name: "random requests", value: requests.sent, unit: "", limit: null }],
    };
  },
};
