import { countOutcomes, decide, type Judgement, type Outcome, type Verdict } from "../verdict/verdict.ts";

/** A verdict with these requirements and outcomes; warnings are of SHOULDs, everything else of MUSTs. */
export function exampleVerdict(outcomes: Readonly<Record<string, Outcome>>): Verdict {
  const results = Object.entries(outcomes).map(([id, status]): Judgement => {
    const isViolated = status === "fail" || status === "warn";
    return {
      id,
      level: status === "warn" ? "SHOULD" : "MUST",
      section: "3",
      title: `Title of ${id}`,
      status,
      findings: isViolated ? [{ message: "wrong", file: "a.py", line: 1 }] : [],
      reason: isViolated || status === "pass" ? null : "a reason",
      observations: status === "pass" ? [{ text: "seen", testRun: null, t: null }] : [],
      testRuns: [],
      measured: [],
      attempts: [],
    };
  });
  return {
    format: "robot-app-verdict",
    formatVersion: 2,
    version: "0.0.0",
    verdict: decide(results),
    app: "my_app",
    folder: "/apps/my_app",
    digest: "sha256:00",
    dirHash: "00",
    wheel: "11",
    environment: {
      suite: "0.0.0",
      daemon: "0.0.0",
      simulator: "0.0.0",
      sdk: "0.1.0",
      python: "3.11.2",
      dependencies: { "robot-sdk": "0.1.0", numpy: "2.0.0" },
      options: { thorough: false, jobs: 4, retries: 0, failFast: false, allowNetwork: false },
      machine: { system: "linux 6.1", architecture: "x64", processors: 2, memoryGb: 8 },
    },
    only: null,
    seed: 1,
    startedAt: "2030-01-01T00:00:00.000Z",
    duration: 1,
    isolation: { sandbox: "none", network: "none", reason: "bubblewrap (bwrap) is not installed" },
    counts: countOutcomes(results),
    results,
    testRuns: [],
  };
}
