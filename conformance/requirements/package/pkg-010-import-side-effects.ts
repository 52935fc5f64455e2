import { type DynamicRequirement, inconclusive, judgeByAspects } from "../requirement.ts";

export const importSideEffects: DynamicRequirement = {
  id: "PKG-010",
  level: "MUST",
  section: "2.3",
  title: "Importing the app has no side effects",
  mutants: [
    "PKG-010-starts-a-thread",
    "PKG-010-writes-a-file",
    "PKG-010-starts-a-process",
    "PKG-010-handles-a-signal",
    "PKG-010-opens-a-database",
    "PKG-010-writes-past-python",
  ],
  advisoryInOtherDialects: {
    why: "The contract does not say what an import may do, and the app has its process for itself.",
    fix: "Do that in run().",
  },
  testRuns: [],
  judge({ app, facts: { imports } }) {
    if (imports === undefined) return inconclusive("The app was not imported.");
    if (imports.error !== null) return inconclusive(`The app could not be imported: ${imports.error}.`);
    const text = `${app.module} imported, no side effect seen`;
    return judgeByAspects([
      {
        name: "import",
        met: imports.effects.length === 0 ? [{ text, testRun: null, t: null }] : [],
        violations: imports.effects.map(({ what, file, line }) => ({
          message: `When it is imported, the app ${what}. Do that in run(), or beneath if __name__ == "__main__".`,
          at: { file, line },
        })),
        unobserved: "not imported",
      },
    ]);
  },
};
