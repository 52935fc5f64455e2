import type { AppRun } from "../../evidence/app-run.ts";
import { type Aspect, type DynamicRequirement, describeEnd, judgeAspects, observe, seconds } from "../requirement.ts";

const STARTS = [
  { testRun: "start-as-startup-app", how: "as the startup app" },
  { testRun: "start-by-antenna", how: "by a touch of an antenna" },
] as const;

export const automaticStart: DynamicRequirement = {
  id: "LIFE-012",
  level: "MUST",
  section: "3",
  title: "Started as the startup app or by an antenna, the app behaves as when started by hand",
  mutants: ["LIFE-012-not-as-startup-app", "LIFE-012-not-after-a-touch"],
  testRuns: ["first-run", ...STARTS.map(({ testRun }) => testRun)],
  judge({ appRuns }) {
    const byHand = appRuns.find(({ testRun }) => testRun === "first-run");
    return judgeAspects(
      STARTS.map(({ testRun, how }) =>
        aspectOf(
          how,
          appRuns.find((run) => run.testRun === testRun),
          byHand,
        ),
      ),
    );
  },
};

function aspectOf(how: string, run: AppRun | undefined, byHand: AppRun | undefined): Aspect {
  const aspect = { name: `start ${how}`, met: [], violations: [], unobserved: "not run" };
  if (run === undefined || byHand === undefined) return aspect;
  const endsByHand = byHand.endRequestedAt === null;
  const lives = run.connectedAt !== null && (run.endRequestedAt !== null || endsByHand);
  if (lives && (run.endRequestedAt !== null || run.exit?.code === 0)) {
    const after = seconds((run.connectedAt ?? 0) - run.startedAt);
    return { ...aspect, met: [observe(run, `started ${how}: connected after ${after}`, run.connectedAt)] };
  }
  const notConnected = run.connectedAt === null ? "did not connect; it " : "";
  const message = `Started ${how}, the app ${notConnected}${describeEnd(run)}, unlike when it is started by hand.`;
  const t = run.exitedAt ?? run.startedAt;
  return { ...aspect, violations: [{ message, testRun: run.testRun, t, errors: run.stderrTail }] };
}
