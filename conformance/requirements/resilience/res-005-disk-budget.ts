import { QUOTA_BYTES } from "../../runner/isolation/isolation-plan.ts";
import { type DynamicRequirement, inconclusive, judgeAspects, observe } from "../requirement.ts";

const MEGABYTE = 1e6;
/** Bytes; less than the file system of an app holds, so that a full one is noticed. */
const LIMIT = Math.min(256 * MEGABYTE, 0.9 * QUOTA_BYTES);

export const diskBudget: DynamicRequirement = {
  id: "RES-005",
  level: "MUST",
  section: "3",
  title: "What the app writes leaves room on the disk: at most 256 MB",
  mutants: ["RES-005-fills-the-disk"],
  testRuns: ["first-run", "restart-cycles"],
  judge({ appRuns }) {
    const measured = appRuns.flatMap((run) => {
      return run.bytesWritten === null || run.connectedAt === null ? [] : [{ run, bytes: run.bytesWritten }];
    });
    const most = Math.max(...measured.map(({ bytes }) => bytes));
    if (measured.length === 0) return inconclusive("No run of the app that connected was measured.");
    const figure = { name: "files", value: most / MEGABYTE, unit: "MB", limit: LIMIT / MEGABYTE };
    const aspects = measured.map(({ run, bytes }) => {
      const megabytes = `${(bytes / MEGABYTE).toFixed(1)} MB`;
      const message = `After its end the app's folders held ${megabytes}; at most ${LIMIT / MEGABYTE} MB are allowed. A full disk stops the daemon and all other apps.`;
      const isHigh = bytes > LIMIT;
      return {
        name: "files",
        met: isHigh ? [] : [observe(run, `its folders held ${megabytes} after its end`, run.exitedAt)],
        violations: isHigh ? [{ message, testRun: run.testRun, t: run.exitedAt ?? run.startedAt }] : [],
        unobserved: "not measured",
      };
    });
    return judgeAspects(aspects, [figure]);
  },
};
