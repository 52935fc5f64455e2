import { type DynamicRequirement, judgeAspects, observe } from "../requirement.ts";

/** Seconds in which messages that were sent before the exit may still arrive. */
const IN_TRANSIT = 0.05;

export const noCommandsAfterExit: DynamicRequirement = {
  id: "MOT-003",
  level: "MUST",
  section: "3",
  title: "Nothing of the app moves the robot after its exit",
  mutants: ["MOT-003-child-moves-the-robot-after-it"],
  testRuns: ["first-run", "stop-early", "stop-during-goto"],
  judge({ appRuns }) {
    const exited = appRuns.filter(({ exitedAt, connectedAt }) => exitedAt !== null && connectedAt !== null);
    const late = exited.map((run) => {
      const end = (run.exitedAt ?? Number.POSITIVE_INFINITY) + IN_TRANSIT;
      return { run, commands: run.commands.filter(({ t, pid }) => t > end && pid !== run.pid) };
    });
    return judgeAspects([
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
