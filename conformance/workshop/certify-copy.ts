import { randomInt } from "node:crypto";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../../common/machine/remove-tree.ts";
import type { Clock } from "../../common/time/clock.ts";
import type { Certify } from "../../daemon/workshop/certifications.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { UnmetRequirement } from "../../robot/wire/workshop/certification.ts";
import { certifyInChildProcess } from "../child-process/certify-in-child-process.ts";

/** Limits of one certification: seconds, enough to make the clean environment over a slow network, and bytes. */
const LIMITS = { deadline: 900, memoryBytes: 4e9 };
/** Test runs at a time: the robot on the dashboard needs the processors, too. */
const JOBS = 2;

interface CertifyCopyOptions {
  /** Version of the workbench. */
  version: string;
  /** Folder that holds the clean Python environment between certifications. */
  cache: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
}

/** Certifies a copy of the app of a workshop as `certify` does: the implementation of the daemon's `Certify`. */
export const certifyCopy =
  ({ version, cache, env, clock }: CertifyCopyOptions): Certify =>
  async (copy, onProgress, signal) => {
    const temporary = await mkdtemp(join(tmpdir(), "robot-certification-"));
    try {
      await mkdir(copy.out, { recursive: true });
      const result = await certifyInChildProcess({
        ...LIMITS,
        task: { ...copy, seed: randomInt(2 ** 32), jobs: JOBS, cache, version, report: true },
        // What is left of it when it is killed goes with the folder.
        env: { ...env, TMPDIR: temporary },
        clock,
        signal,
        onProgress,
        yieldsProcessors: true,
      });
      if (result.kind === "failure") throw new WorkbenchError("check-failed", result.failure.message);
      const { verdict, problems, seconds } = result;
      return { verdict, unmet: problems.map((problem) => UnmetRequirement.parse(problem)), seconds };
    } finally {
      await removeTree(temporary).catch(() => {});
    }
  };
