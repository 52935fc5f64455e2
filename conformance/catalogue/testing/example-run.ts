import type { Problem } from "../../child-process/problem.ts";
import type { CatalogueVerdict, VerdictKey } from "../catalogue-verdict.ts";
import { type CatalogueRun, countVerdicts, type RunEntry } from "../run/catalogue-run.ts";

export const exampleKey = (digit = "a"): VerdictKey => {
  return { digest: `sha256:${digit.repeat(64)}`, suite: "0.0.0", tier: "short" };
};

export const exampleCatalogueVerdict = (changes: Partial<CatalogueVerdict> = {}): CatalogueVerdict => ({
  format: "robot-catalogue-verdict",
  formatVersion: 1,
  key: exampleKey(),
  verdict: "conformant",
  app: "my_app",
  problems: [],
  notJudged: [],
  seed: 1,
  startedAt: "2030-01-01T00:00:00.000Z",
  cost: { seconds: 20, cpuSeconds: 5, memoryBytes: 5e8, diskBytes: 9000 },
  ...changes,
});

export const exampleProblem = (changes: Partial<Problem> = {}): Problem => ({
  id: "LIFE-001",
  level: "MUST",
  title: "Connects",
  status: "fail",
  message: "No connection to the daemon within 15 s.",
  file: null,
  line: null,
  replayable: true,
  traceback: null,
  ...changes,
});

/** An app of a run, not conformant when it has problems. */
export const exampleApp = (name: string, problems: Problem[] = [], changes: Partial<RunEntry> = {}): RunEntry => ({
  name,
  source: `/apps/${name}`,
  revision: null,
  digest: exampleKey().digest,
  verdict: problems.length > 0 ? "not-conformant" : "conformant",
  known: false,
  problems,
  notJudged: [],
  cost: { seconds: 20, cpuSeconds: 5, memoryBytes: 5e8, diskBytes: 9000 },
  certifiedAt: "2030-01-01T00:00:00.000Z",
  failure: null,
  ...changes,
});

export const exampleRun = (apps: RunEntry[], startedAt = "2030-01-01T00:00:00.000Z"): CatalogueRun => ({
  format: "robot-catalogue-run",
  formatVersion: 1,
  suite: "0.0.0",
  tier: "short",
  catalogue: "apps",
  startedAt,
  duration: 60,
  counts: countVerdicts(apps),
  apps,
});
