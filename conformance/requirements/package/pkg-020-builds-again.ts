import { type DynamicRequirement, decidedAspect, inconclusive, judgeByAspects } from "../requirement.ts";

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
    const violation = { message, at: { file: "pyproject.toml", line: 1 } };
    const met = { text: "built twice, with the same files", testRun: null, t: null };
    return judgeByAspects([decidedAspect("second build", rebuilt.length === 0, met, violation)]);
  },
};
