import { INJECTED_ERROR } from "../runner/instrument.ts";
import { type DynamicRequirement, endOf, wasAsked } from "./requirement.ts";

export const errorShows: DynamicRequirement = {
  id: "LIFE-008",
  level: "MUST",
  section: "3",
  title: "An error that run() does not handle gives a nonzero exit code and a traceback",
  mutants: ["LIFE-008-exits-with-0", "LIFE-008-without-a-traceback"],
  scenes: ["error-in-run"],
  judge({ runs }) {
    const run = runs.find(({ ending }) => ending === "error");
    if (run === undefined || !wasAsked(run)) return { skip: "The app ended before an error could be raised in it." };
    if (run.raised !== INJECTED_ERROR) return { skip: "The app handled the errors that were raised in its run()." };
    const traceback = run.lastErrors.some((line) => line.includes(INJECTED_ERROR));
    if (!run.forced && run.exit?.code !== 0 && traceback) return { observed: [] };
    const what = run.exit?.code === 0 || run.forced ? endOf(run) : "ended without a traceback on its standard error";
    const message = `After an error in run() the app ${what}. Let errors pass through wrapped_run(): the daemon shows their traceback.`;
    return { observed: [{ message, scene: run.scene, t: run.endedAt ?? 0, errors: run.lastErrors }] };
  },
};
