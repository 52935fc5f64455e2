import { type DynamicRequirement, inconclusive, judgeByAspects } from "../requirement.ts";

const MOST_NAMED = 3;

export const buildsAgain: DynamicRequirement = {
  id: "PKG-020",
  level: "MUST",
  section: "2.1",
  title: "Two builds of the same files give the same package",
  mutants: ["PKG-020-build-writes-the-time", "PKG-020-backend-of-its-own"],
  testRuns: [],
  needsSecondBuild: true,
  judge({ facts: { install } }) {
    const rebuilt = install?.rebuilt ?? null;
    if (rebuilt === null) return inconclusive("The app was not built a second time.");
    const files = rebuilt.slice(0, MOST_NAMED).join(", ");
    const message = `Not reproducible: a second build of the same files differs in ${files}. What is certified would not be what others install. Let the build write nothing that depends on time, place or chance.`;
    return judgeByAspects([
      {
        name: "second build",
        met: rebuilt.length === 0 ? [{ text: "built twice, with the same files", testRun: null, t: null }] : [],
        violations: rebuilt.length === 0 ? [] : [{ message, at: { file: "pyproject.toml", line: 1 } }],
        unobserved: "not built",
      },
    ]);
  },
};
