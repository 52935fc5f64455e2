import {
  type DynamicRequirement,
  decidedAspect,
  describeEnd,
  endedByItself,
  inconclusive,
  judgeByAspects,
  notApplicable,
  observe,
  violationIn,
} from "../requirement.ts";

export const servoFault: DynamicRequirement = {
  id: "RES-003",
  level: "SHOULD",
  section: "3",
  title: "Faults of servos do not crash the app, and it can be stopped",
  mutants: ["RES-003-gives-up", "RES-003-freezes"],
  testRuns: ["servo-fault"],
  judge({ facts: { faults }, appRuns }) {
    const [run] = appRuns;
    if (run === undefined) return inconclusive("The app was not run.");
    if (faults === undefined) {
      if (endedByItself(run)) return notApplicable(`The app ${describeEnd(run)} before a servo could fail.`);
      return inconclusive("The daemon reported no fault of a servo.");
    }
    const crashed = faults.ended && run.exit?.code !== 0;
    const list = faults.faults.join(", ");
    const fine = !crashed && !run.forceStopped;
    const message = `With the faults ${list} the app ${describeEnd(run)}. Expect MoveError of goto_target(), and go on.`;
    const met = observe(run, `with the faults ${list} it ran until it ${describeEnd(run)}`, run.exitedAt);
    return judgeByAspects([decidedAspect("servo faults", fine, met, violationIn(run, message, run.exitedAt ?? 0))]);
  },
};
