import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { removeTree } from "../../common/machine/remove-tree.ts";
import type { Clock } from "../../common/time/clock.ts";
import type { Certify } from "../../daemon/workshop/workshop-certifications.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { RequirementProblem } from "../../robot/wire/workshop/certification.ts";
import { certifyInChildProcess } from "../child-process/certify-in-child-process.ts";
import { makeScratchFolder, removeOldScratchFolders } from "../child-process/scratch-folders.ts";

/** Limits of one certification. The deadline, in seconds, is enough to make the clean environment over a slow network. */
const LIMITS = { deadline: 900, memoryBytes: 4e9 };
/** Test runs at a time: the robot on the dashboard needs processor time, too. */
const JOBS = 2;

interface CertifyCopyOptions {
  /** Version of the workbench. */
  version: string;
  /** Folder that holds the clean Python environment between certifications. */
  cache: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Whether other processes come first when the processors are busy; true unless given. */
  yieldsProcessors?: boolean;
}

/**
 * Certifies a copy of a workshop's app as the command `certify` does: the implementation of the daemon's `Certify`.
 * @returns a function that throws WorkbenchError `check-failed` when the harness fails
 */
export const certifyCopy =
  ({ version, cache, env, clock, yieldsProcessors = true }: CertifyCopyOptions): Certify =>
  async (copy, onProgress, signal) => {
    await removeOldScratchFolders(tmpdir(), clock.unixTime());
    const temporary = await makeScratchFolder();
    try {
      await mkdir(copy.out, { recursive: true });
      const result = await certifyInChildProcess({
        ...LIMITS,
        task: { ...copy, jobs: JOBS, cache, version, report: true },
        env: {
          ...env,
          // What a killed certification leaves is deleted with the folder.
          TMPDIR: temporary,
          // An app that runs without isolation must not reach this daemon: no daemon listens on port 1.
          ROBOT_DAEMON_URL: "http://127.0.0.1:1",
          ROBOT_DAEMON_TOKEN: undefined,
        },
        clock,
        signal,
        onProgress,
        yieldsProcessors,
      });
      if (result.kind === "failure") throw new WorkbenchError("check-failed", result.failure.message);
      const { verdict, problems, passed, seconds } = result;
      const parsed = problems.map((problem) => RequirementProblem.parse(problem));
      return { verdict, problems: parsed, passed, seconds };
    } finally {
      await removeTree(temporary).catch(() => {});
    }
  };
