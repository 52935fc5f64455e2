import { z } from "zod";

/** The parts of a verdict of format version 1 that differ. */
const Version1 = z.looseObject({
  format: z.literal("robot-app-verdict"),
  formatVersion: z.undefined(),
  results: z.array(z.looseObject({ status: z.string(), scenes: z.unknown() })),
  counts: z.looseObject({ skip: z.number() }),
  scenes: z.unknown(),
});

/**
 * Converts a verdict of format version 1 to version 2; anything else is returned as it is. A skipped requirement had no
 * observation, so it becomes inconclusive.
 */
export function upgradeVerdict(json: unknown): unknown {
  const read = Version1.safeParse(json);
  if (!read.success) return json;
  const { scenes, counts, results, ...others } = read.data;
  const { skip, ...counted } = counts;
  return {
    ...others,
    formatVersion: 2,
    dirHash: "",
    environment: {
      suite: String(others.version),
      daemon: String(others.version),
      simulator: String(others.version),
      sdk: null,
      python: null,
      dependencies: {},
      options: { thorough: false, jobs: 1, retries: 0, failFast: false, allowNetwork: false },
      machine: { system: "unknown", architecture: "unknown", processors: 1, memoryGb: 0 },
    },
    isolation: { sandbox: "none", reason: null, network: "none" },
    counts: { ...counted, flaky: 0, "not-applicable": 0, inconclusive: skip },
    results: results.map(({ scenes: testRuns, status, ...result }) => ({
      ...result,
      status: status === "skip" ? "inconclusive" : status,
      testRuns,
      observations: [],
      attempts: [],
    })),
    testRuns: scenes,
  };
}
