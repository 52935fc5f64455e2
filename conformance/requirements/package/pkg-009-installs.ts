import type { Observation } from "../../verdict/verdict.ts";
import { type DynamicRequirement, inconclusive, judgeByAspects } from "../requirement.ts";

const observed = (text: string): Observation => ({ text, testRun: null, t: null });

export const installs: DynamicRequirement = {
  id: "PKG-009",
  level: "MUST",
  section: "2.1",
  title:
    "The app installs in a clean environment without files of others or code for every start of Python, registers its entry point, ships static/ and uninstalls cleanly",
  mutants: [
    "PKG-009-static-not-shipped",
    "PKG-009-needs-what-is-not-there",
    "PKG-009-main-not-shipped",
    "PKG-009-dependency-with-startup-code",
  ],
  testRuns: [],
  needsSecondBuild: true,
  judge({ app, facts: { install } }) {
    if (install === undefined) return inconclusive("The app was not installed.");
    const { missing, remains, staticFiles } = install;
    const message = `Installed, the app lacks ${missing.length} files of static/ (${missing[0]}): list static/ as package data (tool.setuptools.package-data).`;
    return judgeByAspects([
      {
        name: "install",
        met: [observed(`installed, entry point ${app.name}, nothing of others changed`)],
        violations: [],
        unobserved: "",
      },
      {
        name: "static/",
        met: staticFiles > 0 && missing.length === 0 ? [observed(`${staticFiles} files of static/ installed`)] : [],
        violations: missing.length === 0 ? [] : [{ message }],
        notApplicable: staticFiles === 0 ? "the app has no static/" : null,
        unobserved: "not compared",
      },
      {
        name: "uninstall",
        met: remains?.length === 0 ? [observed("uninstalled without remains")] : [],
        violations: (remains ?? []).map((left) => ({
          message: `${left} is still there after the app was uninstalled.`,
        })),
        unobserved: "not uninstalled",
      },
    ]);
  },
};
