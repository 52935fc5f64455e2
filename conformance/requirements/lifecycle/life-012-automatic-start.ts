import type { AppRun } from "../../evidence/app-run.ts";
import {
  type Aspect,
  type DynamicRequirement,
  describeEnd,
  formatSeconds,
  judgeByAspects,
  observe,
  violationIn,
} from "../requirement.ts";

const STARTS = [
  { testRun: "start-as-startup-app", how: "as the startup app" },
  { testRun: "start-by-antenna", how: "by a touch of an antenna" },
] as const;

export const automaticStart: DynamicRequirement = {
  id: "LIFE-012",
  level: "MUST",
  section: "3",
  title: "Started as the startup app or by an antenna, the app behaves as when started by hand",
  mutants: ["LIFE-012-not-as-startup-app", "LIFE-012-not-after-a-touch", "LIFE-012-ignores-stops-as-startup-app"],
  testRuns: ["first-run", ...STARTS.map(({ testRun }) => testRun)],
  judge({ appRuns }) {
    const byHand = appRuns.find(({ testRun }) => testRun === "first-run");
    return judgeByAspects(
      STARTS.map(({ testRun, how }) => {
        const run = appRuns.find((each) => each.testRun === testRun);
        return aspectOf(how, run, byHand);
      }),
    );
  },
};

function aspectOf(how: string, run: AppRun | undefined, byHand: AppRun | undefined): Aspect {
  const aspect = { name: `start ${how}`, met: [], violations: [], unobserved: "not run" };
  if (run === undefined || byHand === undefined) return aspect;
  const endsByHand = byHand.endRequestedAt === null;
  const lives = run.connectedAt !== null && (run.endRequestedAt !== null || endsByHand);
  // An app that ends badly when it is started by hand fails the requirements on stops.
  const endsWell = run.forceStopped
    ? byHand.forceStopped
    : run.exit?.code === 0 || run.exit?.code === byHand.exit?.code;
  if (lives && endsWell) {
    const after = formatSeconds((run.connectedAt ?? 0) - run.startedAt);
    const text = `started ${how}: connected after ${after}, ${describeEnd(run)}`;
    return { ...aspect, met: [observe(run, text, run.connectedAt)] };
  }
  const notConnected = run.connectedAt === null ? "did not connect; it " : "";
  const message = `Started ${how}, the app ${notConnected}${describeEnd(run)}, unlike when it is started by hand.`;
  return { ...aspect, violations: [violationIn(run, message)] };
}
