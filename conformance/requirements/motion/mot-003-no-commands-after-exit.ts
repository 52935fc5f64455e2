import type { AppRun, Command } from "../../evidence/app-run.ts";
import { couldCleanUp, type DynamicRequirement, judgeByAspects, observe } from "../requirement.ts";

/**
 * Seconds in which messages that were sent before the exit, or before the end of their connection, may still arrive, besides
 * what the harness was late meanwhile. Not less than the period in which the harness measures that.
 */
const IN_TRANSIT = 0.12;

const TEST_RUNS = ["first-run", "stop-early", "stop-during-goto"];

export const noCommandsAfterExit: DynamicRequirement = {
  id: "MOT-003",
  level: "MUST",
  section: "3",
  title: "Nothing of the app moves the robot after its exit",
  mutants: ["MOT-003-child-moves-the-robot-after-it", "MOT-003-child-takes-the-name-of-the-app"],
  testRuns: TEST_RUNS,
  judgesOtherTestRuns: true,
  judge({ appRuns }) {
    const exited = appRuns.filter((run) => {
      return (
        run.connectedAt !== null && run.exitedAt !== null && (TEST_RUNS.includes(run.testRun) || couldCleanUp(run))
      );
    });
    const late = exited.map((run) => ({ run, commands: run.commands.filter((command) => isLate(command, run)) }));
    return judgeByAspects([
      {
        name: "commands after the exit",
        met: late.flatMap(({ run, commands }) =>
          commands.length > 0 ? [] : [observe(run, "no command after the exit", run.exitedAt)],
        ),
        violations: late.flatMap(({ run, commands }) => {
          const [first] = commands;
          if (first === undefined) return [];
          const message = `After the exit of the app, process ${first.pid ?? "unknown"} of it sent ${first.kind} (${commands.length} commands in all). End all processes that the app starts before run() returns.`;
          return [{ message, testRun: run.testRun, t: first.t }];
        }),
        unobserved: `none of ${appRuns.length} runs connected and exited`,
      },
    ]);
  },
};

/**
 * Whether a command was sent after the exit. The last ones of the main process arrive just before its connection is closed,
 * however late the harness reads both; a connection that stays open belongs to another process, whatever process id it was
 * given. The public SDK gives none; a request has no connection that tells.
 */
function isLate({ t, pid, connection }: Command, run: AppRun): boolean {
  const exitedAt = run.exitedAt ?? Number.POSITIVE_INFINITY;
  if (t <= exitedAt + IN_TRANSIT + harnessDelay(run, exitedAt, t)) return false;
  if (connection === null || (pid !== null && pid !== run.pid)) return true;
  const closedAt = run.connectionEnds[connection] ?? Number.POSITIVE_INFINITY;
  return closedAt - t > IN_TRANSIT + harnessDelay(run, t, closedAt);
}

/** Seconds that the harness was late between two moments. */
function harnessDelay({ harnessDelays }: AppRun, from: number, until: number): number {
  // A delay is noticed at its end.
  const between = harnessDelays.filter(({ t, seconds }) => t > from && t - seconds < until);
  return between.reduce((sum, { seconds }) => sum + seconds, 0);
}
