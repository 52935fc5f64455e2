import { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { assertMatches } from "../../robot/wire/validation/parse-or-throw.ts";
import { decide, Verdict } from "../verdict/verdict.ts";

/**
 * Reads a verdict from its JSON; one of an older format is converted.
 * @param name of the file, for messages
 * @throws WorkbenchError `bad-request` when the text is not a verdict
 */
export function readVerdict(text: string, name: string): Verdict {
  const next = `${name} is not a verdict; name the verdict.json that certify wrote.`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new WorkbenchError("bad-request", `${name} is not JSON. ${next}`, { cause });
  }
  json = upgradeVerdict(json);
  // The order of the keys stays as it was written, so that the same page results.
  assertMatches(Verdict, json, name, { next });
  return json;
}

/** The parts of a verdict of format version 1 that differ, and what its verdict follows from. */
const Version1 = z.looseObject({
  format: z.literal("robot-app-verdict"),
  // Zod refuses a missing key for z.undefined() alone.
  formatVersion: z.undefined().optional(),
  results: z.array(
    z.looseObject({
      level: z.enum(["MUST", "SHOULD"]),
      status: z.enum(["pass", "fail", "warn", "skip", "error"]),
      scenes: z.unknown(),
    }),
  ),
  counts: z.looseObject({ skip: z.number() }),
  scenes: z.unknown(),
  staleWaivers: z.array(z.unknown()),
});

/**
 * Converts a verdict of format version 1 to version 2; anything else is returned as it is. A skipped requirement had no
 * observation, so it becomes inconclusive, and the verdict is decided again.
 */
export function upgradeVerdict(json: unknown): unknown {
  const read = Version1.safeParse(json);
  if (!read.success) return json;
  const { scenes, counts, results, staleWaivers, ...others } = read.data;
  const { skip, ...counted } = counts;
  const upgraded = results.map(({ scenes: testRuns, status, ...result }) => ({
    ...result,
    status: status === "skip" ? ("inconclusive" as const) : status,
    testRuns,
    observations: [],
    attempts: [],
  }));
  return {
    ...others,
    formatVersion: 2,
    verdict: decide(upgraded, staleWaivers.length),
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
    isolation: { sandbox: "none", reason: "a verdict of format version 1 does not say it", network: "none" },
    counts: { ...counted, flaky: 0, "not-applicable": 0, inconclusive: skip },
    results: upgraded,
    testRuns: scenes,
    staleWaivers,
  };
}
