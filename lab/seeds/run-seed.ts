import fc from "fast-check";
import { seededRandom } from "../../common/seeded-random.ts";
import { scriptOf } from "./script.ts";
import { checkSettings } from "./settings-durability.ts";
import { System } from "./system.ts";

/** What a run of a seed has shown. */
export interface SeedRun {
  seed: number;
  /** Of everything that happened, in order. */
  digest: string;
  lines: readonly string[];
  violations: readonly string[];
  /** The steps of its script, in words. */
  steps: readonly string[];
  simulatedMs: number;
}

/** Milliseconds after the last step, at least and at most, until everything has settled; and until the daemon has ended. */
const [SETTLE_MS, MAX_SETTLE_MS, CLOSE_MS] = [10_000, 60_000, 40_000];
/** Milliseconds of which a wait is made. */
const WAIT_MS = 500;
/** Steps of the script are drawn from numbers of their own. */
const SCRIPT = 0x5c71;

interface RunOptions {
  /** Whether the robot moves in the physics engine. Default false: ideal joints. */
  physics?: boolean;
  /** Numbers of the steps to run. Default: all. */
  keep?: readonly number[] | undefined;
  /** Maximum of steps. Default 40. */
  steps?: number;
}

/** Runs the system of a seed to its end. */
export async function runSeed(seed: number, { physics = false, keep, steps }: RunOptions = {}): Promise<SeedRun> {
  const system = await System.create(seed, physics);
  const { world, observer } = system;
  const { clock, disk, cable } = world;
  const script = scriptOf(seededRandom(seed ^ SCRIPT), steps);
  const { violations } = observer.invariants;
  const onRejection = (error: unknown) => void violations.push(`nobody handles ${stackOf(error)}`);
  process.on("unhandledRejection", onRejection);
  try {
    script.forEach(({ at, what, run }, number) => {
      if (keep !== undefined && !keep.includes(number)) return;
      clock.at(at, () => {
        world.log(`step ${number}: ${what}`);
        void run(system);
      });
    });
    await clock.advanceAsync((script.at(-1)?.at ?? 0) + 1);
    disk.isFull = false;
    cable.robot.endFaults();
    cable.plugIn();
    await clock.advanceAsync(SETTLE_MS);
    await advanceUntil(system, MAX_SETTLE_MS, () => observer.hasSettled);
    await end(system);
  } catch (error) {
    violations.push(`threw ${stackOf(error)}`);
  } finally {
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", onRejection);
    system.close();
  }
  const { digest, lines } = world;
  const words = script.map(({ at, what }, number) => `${number}: ${(at / 1000).toFixed(3)} ${what}`);
  return { seed, digest, lines, violations: [...new Set(violations)], steps: words, simulatedMs: clock.now() };
}

async function advanceUntil({ world: { clock } }: System, maxMs: number, condition: () => boolean): Promise<void> {
  for (const end = clock.now() + maxMs; clock.now() < end && !condition(); ) await clock.advanceAsync(WAIT_MS);
}

/** Stops the daemon, and starts another one on what it left, which must have kept everything. */
async function end(system: System): Promise<void> {
  const { clock } = system.world;
  const { invariants } = system.observer;
  let isClosed = false;
  const { daemon } = system;
  invariants.require(daemon.http !== null, "the daemon does not serve requests at the end");
  void daemon.stop().then(() => {
    isClosed = true;
  });
  await advanceUntil(system, CLOSE_MS, () => isClosed);
  invariants.require(isClosed, "the daemon does not end");
  const left = system.observer.knownProcesses;
  invariants.require(left.length === 0, `${left.join(", ")} live after the daemon`);
  invariants.bounded("timers after the end of the daemon", daemon.clock.timers, 0);
  daemon.clock.end();
  system.daemon = system.startDaemon();
  await clock.advanceAsync(5000);
  void checkSettings(system);
  await clock.advanceAsync(3000);
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/**
 * Leaves out the entries of a list that a failure does not need.
 * @param fails whether a shorter list still fails
 */
export async function shorten(all: readonly number[], fails: (kept: number[]) => Promise<boolean>): Promise<number[]> {
  const property = fc.asyncProperty(fc.subarray([...all]), async (kept) => !(await fails(kept)));
  const { counterexample } = await fc.check(property, { numRuns: 1, examples: [[[...all]]], endOnFailure: false });
  return counterexample?.[0] ?? [...all];
}
