import { judge } from "../../certify/judge.ts";
import type { AppRun } from "../../evidence/app-run.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { DYNAMIC } from "../registry.ts";
import { GOOD_EVIDENCE, goodRun } from "./good-evidence.ts";

/** An app without a page. */
export const app = { ...GOOD_EVIDENCE.app, page: null, staticFolder: null };

/** The same app with a page. */
export const appWithPage = GOOD_EVIDENCE.app;

/** A run of a good app that was stopped, in the first test run unless another one is named. */
export const run = ({ testRun = "first-run", ...changes }: Partial<AppRun> = {}): AppRun =>
  goodRun(testRun, { usage: { seconds: 8, cpu: 0.06, memory: 8e7, lineRate: 0.4 }, bytesWritten: 0, ...changes });

/** Stops that a good app survives, in each test run of a requirement on stops. */
export const goodStops = [
  run(),
  run({ testRun: "stop-early" }),
  run({ testRun: "stop-during-goto", phase: "mid-goto" }),
];

/** Judges a requirement by evidence of one good run, except for what is given. @throws Error for an unknown id */
export function judged(id: string, evidence: Partial<Evidence>) {
  const requirement = DYNAMIC.find((each) => each.id === id);
  if (requirement === undefined) throw new Error(`no requirement ${id}`);
  const all: Evidence = { app, appRuns: [run()], testRuns: [], facts: {}, harnessFailures: new Map(), ...evidence };
  return judge(requirement, all).judgement;
}
