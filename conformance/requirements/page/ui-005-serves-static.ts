import { type DynamicRequirement, inconclusive, judgeByAspects, NO_PAGE, notApplicable } from "../requirement.ts";
import { judgeEndedApp } from "./app-ended.ts";

/** Names of files in a message. */
const SHOWN = 3;

export const servesStatic: DynamicRequirement = {
  id: "UI-005",
  level: "MUST",
  section: "2.3",
  title: "The page serves the files of the package's static/, as they are",
  mutants: ["UI-005-page-of-its-own", "UI-005-changes-a-file"],
  testRuns: ["first-run"],
  judge({ app, appRuns, facts: { page } }) {
    if (app.page === null) return notApplicable(NO_PAGE);
    if (app.servesItself === true) return notApplicable("The app serves its page by itself, with files of its own.");
    const ended = judgeEndedApp(page, appRuns);
    if (ended !== null) return ended;
    if (page === undefined || page.availableAfter === null) return inconclusive("The page did not answer (UI-001).");
    if (page.staticFiles === null) return notApplicable("The package has no static/.");
    const { compared, different, unanswered } = page.staticFiles;
    const testRun = "first-run";
    const message = `The page does not serve ${pathsOf(different)} as the package has it, neither at its name nor below /static/. Leave / and /static to the SDK, and declare other routes on settings_app.`;
    const text = `all ${compared} files of static/ are served as the package has them`;
    return judgeByAspects([
      {
        name: "files of static/",
        met: different.length + unanswered.length === 0 && compared > 0 ? [{ text, testRun, t: null }] : [],
        violations: different.length === 0 ? [] : [{ message, testRun }],
        unobserved:
          unanswered.length === 0
            ? "static/ is empty"
            : `requests for ${pathsOf(unanswered)} were not answered in time`,
      },
    ]);
  },
};

function pathsOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return `static/${names.slice(0, SHOWN).join(", static/")}${more}`;
}
