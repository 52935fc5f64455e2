import type { AppRun } from "../../evidence/app-run.ts";
import { CONNECT_LIMIT } from "../../test-runs/limits.ts";
import { describeFailure } from "../failure-cause.ts";
import {
  type DynamicRequirement,
  describeEnd,
  formatSeconds,
  inconclusive,
  judgeByAspects,
  observe,
  violationIn,
} from "../requirement.ts";

export const connects: DynamicRequirement = {
  id: "LIFE-001",
  level: "MUST",
  section: "2.3",
  title: "python -u -m <app_name>.main connects to the daemon within 30 s",
  mutants: ["LIFE-001-crash-at-import", "LIFE-001-never-connects"],
  testRuns: ["first-run"],
  judge({ app, appRuns }) {
    const [run] = appRuns;
    if (run === undefined) return inconclusive("The app was not started.");
    const unobserved = "no connection";
    if (run.connectedAt === null) {
      const ended = run.endRequestedAt === null ? ` The process ${describeEnd(run)}.` : "";
      const why = run.endRequestedAt === null ? describeFailure(run, app) : "";
      const advice = " The main block must make the app and call wrapped_run(), with nothing slow before it.";
      const message = `No connection to the daemon within ${CONNECT_LIMIT} s of the start${notCounting(run)}.${ended}${why === "" ? advice : why}`;
      return judgeByAspects([{ name: "connection", met: [], violations: [violationIn(run, message)], unobserved }]);
    }
    const value = run.connectedAt - run.startedAt - run.startWaited;
    const met = [observe(run, `connected ${formatSeconds(value)} after the start${notCounting(run)}`, run.connectedAt)];
    const measured = [{ name: "start to connection", value, unit: "s", limit: CONNECT_LIMIT }];
    return judgeByAspects([{ name: "connection", met, violations: [], unobserved }], measured);
  },
};

/** Seconds of waiting that are worth a word. */
const WORTH_A_WORD = 0.5;

/** The time in which the app waited for a processor, which does not count. */
const notCounting = ({ startWaited }: AppRun): string =>
  startWaited < WORTH_A_WORD ? "" : `, without ${formatSeconds(startWaited)} in which it waited for a processor`;
