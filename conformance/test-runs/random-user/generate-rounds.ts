import { JOINT_NAMES } from "../../../robot/description/joints.ts";
import {
  LONGEST_LATENCY_MS,
  LONGEST_OUTAGE_MS,
  LONGEST_OVERHEATING_MS,
  LONGEST_WAIT_MS,
  type Round,
} from "./script.ts";

/** Milliseconds after which no shorter script is tried any more; each attempt is a few starts of the app. */
const SHRINK_MS = 25_000;
/** Milliseconds of the shortest fault that is generated. */
const SHORTEST_FAULT_MS = 200;

/**
 * Arbitraries of fast-check: scripts that are generated, and all scripts that they can become when they are made shorter.
 * @param hasOutages whether the daemon is unreachable at times; not for an SDK that does not connect again
 */
async function scripts(hasOutages: boolean) {
  const { default: fc } = await import("fast-check");
  const upTo = (longest: number) => fc.integer({ min: 0, max: longest });
  const between = (longest: number) => fc.integer({ min: SHORTEST_FAULT_MS, max: longest });
  const wait = fc.record({ do: fc.constant("wait" as const), ms: upTo(LONGEST_WAIT_MS) });
  const outage = fc.record({ do: fc.constant("outage" as const), ms: between(LONGEST_OUTAGE_MS) });
  const otherFault = fc.oneof(
    fc.record({ do: fc.constant("latency" as const), ms: upTo(LONGEST_LATENCY_MS) }),
    fc.record({
      do: fc.constant("overheat" as const),
      servo: fc.constantFrom(...JOINT_NAMES),
      ms: between(LONGEST_OVERHEATING_MS),
    }),
  );
  const fault = hasOutages
    ? fc.oneof({ weight: 1, arbitrary: outage }, { weight: 2, arbitrary: otherFault })
    : otherFault;
  const end = fc.constantFrom("stop" as const, "stop" as const, "kill" as const);
  const step = fc.oneof(wait, fault);
  // The first start always has a fault, an outage if possible: most apps notice no other one.
  const faultAndMore = fc
    .tuple(hasOutages ? outage : otherFault, fc.array(fault, { maxLength: 1 }), fc.boolean())
    .map(([one, more, isLast]) => (isLast ? [...more, one] : [one, ...more]));
  const first = fc.record({ steps: faultAndMore, end });
  const later = fc.array(fc.record({ steps: fc.array(step, { maxLength: 1 }), end }), { minLength: 1, maxLength: 2 });
  return {
    fc,
    generated: fc.tuple(first, later).map(([one, others]): Round[] => [one, ...others]),
    shortened: fc.array(fc.record({ steps: fc.array(step, { maxLength: 2 }), end }), { minLength: 1, maxLength: 3 }),
  };
}

/** The script of a seed, 32 bits: two or three starts, with a fault in the first, an outage unless it has none. */
export async function generateRounds(seed: number, hasOutages = true): Promise<Round[]> {
  const { fc, generated } = await scripts(hasOutages);
  const [rounds = []] = fc.sample(generated, { seed, numRuns: 1, unbiased: true });
  return rounds;
}

/** What was found by playing generated scripts. */
export interface RandomUserResult {
  /** The shortest script that showed a problem, or the one that showed none. */
  rounds: readonly Round[];
  /** What went wrong; null when nothing did. */
  problem: string | null;
  /** How many scripts were played. */
  attempts: number;
}

/**
 * Plays the script of a seed; when it shows a problem, shorter and shorter ones.
 * @param play returns what went wrong; null when nothing did
 * @param options whether the script may have outages, and milliseconds after which no further script is played
 * @throws what `play` throws, unless a problem was found before
 */
export async function playAndShrink(
  seed: number,
  play: (rounds: readonly Round[]) => Promise<string | null>,
  { hasOutages = true, limitMs = SHRINK_MS }: { hasOutages?: boolean; limitMs?: number } = {},
): Promise<RandomUserResult> {
  const { fc, shortened } = await scripts(hasOutages);
  const rounds = await generateRounds(seed, hasOutages);
  const startedAt = performance.now();
  let shortest: Pick<RandomUserResult, "rounds" | "problem"> = { rounds, problem: null };
  let attempts = 0;
  // fast-check would take what `play` throws for a problem of the app, and play shorter scripts.
  let failure: { error: unknown } | null = null;
  const property = fc.asyncProperty(shortened, async (candidate) => {
    if (failure !== null || (attempts > 0 && performance.now() - startedAt > limitMs)) return true;
    attempts += 1;
    try {
      const problem = await play(candidate);
      if (problem !== null) shortest = { rounds: candidate, problem };
      return problem === null;
    } catch (error) {
      failure = { error };
      return true;
    }
  });
  await fc.check(property, { seed, numRuns: 1, examples: [[rounds]], endOnFailure: false });
  // A problem that was found before the failure stays one.
  if (failure !== null && shortest.problem === null) throw (failure as { error: unknown }).error;
  return { ...shortest, attempts };
}
