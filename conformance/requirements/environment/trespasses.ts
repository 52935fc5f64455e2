import type { Trespass } from "../../evidence/trespass.ts";
import { type DynamicRequirement, inconclusive, judgeByAspects, observe } from "../requirement.ts";

interface Rule {
  id: string;
  level: "MUST" | "SHOULD";
  title: string;
  kind: Trespass["kind"];
  /** What an observation says. */
  met: string;
  advice: string;
  mutants: readonly string[];
}

const RULES: readonly Rule[] = [
  {
    id: "ENV-001",
    level: "MUST",
    title: "The app leaves the files of the SDK, of other apps and of the daemon as they are",
    kind: "environment",
    met: "nothing of others was changed",
    advice: "All apps share these files. Write into the app's working folder or its home.",
    mutants: [
      "ENV-001-changes-the-sdk",
      "ENV-001-plants-a-pth",
      "ENV-001-changes-another-app",
      "ENV-001-changes-settings",
    ],
  },
  {
    id: "ENV-002",
    level: "MUST",
    title: "The app leaves nothing that runs without it: no unit, no autostart, no profile",
    kind: "left-behind",
    met: "no file was left that another program reads",
    advice:
      "Programs read such files at their start. Write into the working folder, or into a folder with the app's name in .config, .local/share or .cache.",
    mutants: ["ENV-002-leaves-a-unit", "ENV-002-leaves-a-profile"],
  },
  {
    id: "ENV-003",
    level: "MUST",
    title: "The app keeps the daemon's access token to itself",
    kind: "token",
    met: "the access token was not seen",
    advice: "Who has the access token controls the robot. Use ROBOT_DAEMON_TOKEN, and show it nowhere.",
    mutants: ["ENV-003-prints-the-token", "ENV-003-writes-the-token"],
  },
  {
    id: "ENV-004",
    level: "MUST",
    title: "The app does not change what the daemon runs, installs and starts with",
    kind: "daemon",
    met: "it sent no such request",
    advice: "That is for the user to decide.",
    mutants: ["ENV-004-makes-itself-the-startup-app"],
  },
  {
    id: "ENV-005",
    level: "SHOULD",
    title: "The app listens on the network with its page alone",
    kind: "port",
    met: "it listens on no other port",
    advice: "Listen on 127.0.0.1.",
    mutants: ["ENV-005-serves-code-execution"],
  },
];

/** Requirements on what an app shares with others, judged in all test runs. */
export const TRESPASS_REQUIREMENTS: readonly DynamicRequirement[] = RULES.map(
  ({ id, level, title, kind, met, advice, mutants }) => ({
    id,
    level,
    section: "3",
    title,
    mutants,
    testRuns: ["first-run"],
    judgesOtherTestRuns: true,
    judge({ appRuns }) {
      const ended = appRuns.filter(({ exitedAt, connectAttemptAt }) => exitedAt !== null && connectAttemptAt !== null);
      if (ended.length === 0) return inconclusive("No run of the app began to connect.");
      const violations = appRuns.flatMap((run) =>
        run.trespasses
          .filter((trespass) => trespass.kind === kind)
          .map(({ what }) => ({
            message: `The app ${what}. ${advice}`,
            testRun: run.testRun,
            t: run.exitedAt ?? run.startedAt,
          })),
      );
      const clean = ended.filter(({ trespasses }) => !trespasses.some((trespass) => trespass.kind === kind));
      const observations = clean.map((run) => observe(run, met, run.exitedAt));
      return judgeByAspects([{ name: "shared", met: observations, violations, unobserved: "not run" }]);
    },
  }),
);
