import type { Evidence } from "../../evidence/evidence.ts";
import { QUOTA_BYTES } from "../../runner/isolation/isolation-plan.ts";
import { type Aspect, type DynamicRequirement, inconclusive, judgeByAspects, observe } from "../requirement.ts";

const MEGABYTE = 1e6;
/** Bytes; less than the file system of an app holds, so that a full one is noticed. */
const LIMIT = Math.min(256 * MEGABYTE, 0.9 * QUOTA_BYTES);
const TEST_RUNS = ["first-run", "restart-cycles"];
const CONSEQUENCE = `at most ${LIMIT / MEGABYTE} MB are allowed. A full disk stops the daemon and all other apps.`;

const inMegabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

export const diskBudget: DynamicRequirement = {
  id: "RES-005",
  level: "MUST",
  section: "3",
  title: "What the app writes leaves room on the disk: at most 256 MB",
  mutants: ["RES-005-fills-the-disk", "RES-005-fills-the-disk-for-a-moment"],
  testRuns: TEST_RUNS,
  judgesOtherTestRuns: true,
  judge(evidence) {
    const measured = evidence.appRuns.flatMap((run) => {
      return run.bytesWritten === null || run.connectedAt === null ? [] : [{ run, bytes: run.bytesWritten }];
    });
    const most = Math.max(...measured.map(({ bytes }) => bytes), ...samplesOf(evidence).map(({ bytes }) => bytes));
    if (!measured.some(({ run }) => TEST_RUNS.includes(run.testRun)))
      return inconclusive("No run of the app that connected was measured.");
    const figure = { name: "files", value: most / MEGABYTE, unit: "MB", limit: LIMIT / MEGABYTE };
    const aspects = measured.map(({ run, bytes }) => {
      const message = `After its end the app's folders held ${inMegabytes(bytes)}; ${CONSEQUENCE}`;
      const isHigh = bytes > LIMIT;
      return {
        name: "files",
        met: isHigh ? [] : [observe(run, `its folders held ${inMegabytes(bytes)} after its end`, run.exitedAt)],
        violations: isHigh ? [{ message, testRun: run.testRun, t: run.exitedAt ?? run.startedAt }] : [],
        unobserved: "not measured",
      };
    });
    return judgeByAspects([...aspects, whileItRuns(evidence)], [figure]);
  },
};

const samplesOf = ({ facts }: Evidence) => facts.usageSamples ?? [];

/** Files that the app deletes before its end fill the disk, too. */
function whileItRuns(evidence: Evidence): Aspect {
  const most = samplesOf(evidence).reduce((one, other) => (other.bytes > one.bytes ? other : one), { t: 0, bytes: -1 });
  const held = `its folders held ${inMegabytes(most.bytes)}`;
  const message = `While the app ran, ${held}; ${CONSEQUENCE}`;
  const [testRun, fact] = ["first-run", "it ended before its files could be measured"];
  return {
    name: "files while it runs",
    met: most.bytes < 0 || most.bytes > LIMIT ? [] : [{ text: `${held} while it ran`, testRun, t: most.t }],
    violations: most.bytes > LIMIT ? [{ message, testRun, t: most.t }] : [],
    notApplicable: most.bytes < 0 ? fact : null,
    unobserved: fact,
  };
}
