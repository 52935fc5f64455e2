import { existsSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { execa, type Result } from "execa";
import { installHint } from "../../common/machine/install-hint.ts";
import { cancelSignalOption, PROGRAM_ANSWER_MS } from "../../common/machine/load-execa.ts";
import { ownCommand } from "../../common/machine/own-command.ts";
import { readIfPresent } from "../../common/machine/read-if-present.ts";
import { packageVersion } from "../../common/versions.ts";
import { nonEmptyText, textMatching } from "../../robot/command-line/values.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { isOurHook, withCheckHook, withPrePushCheck } from "../ci/hooks.ts";
import { readReport } from "../ci/read-report.ts";
import { jobSummary, type SummaryOptions } from "../ci/summary.ts";
import { workflowText } from "../ci/workflow.ts";
import { type PlannedFile, writePlanned } from "../ci/write-files.ts";
import type { Terminal } from "../terminal.ts";

const HELP = `
Without a flag it asks, on a terminal. Files with other content are shown as a diff and stay, unless --force is given. Exit
codes: 0 written, 2 an invalid command line or a file that stays.

Examples:
  robot-app-assistant ci my_app
  robot-app-assistant ci . --workflow --action OWNER/REPOSITORY@v1
  robot-app-assistant ci . --pre-commit --pre-push`;

interface CiFlags {
  workflow?: true;
  action?: string;
  preCommit?: true;
  prePush?: true;
  force?: true;
  json?: true;
}

/** How GitHub names an action. */
const ACTION = /^[\w.-]+\/[\w.-]+(?:\/[\w./-]+)?@[\w./-]+$|^\.\/[\w./-]*$/;

/** `ci`: writes a workflow, a pre-commit definition and a pre-push hook that check an app. */
export function ciCommand(terminal: Terminal): Command {
  const command = new Command("ci")
    .description("Write what checks an app before it is committed, pushed or merged.")
    .argument("[path_to_app]", "the app's folder, where its pyproject.toml is", ".")
    .option("--workflow", "a workflow for GitHub Actions: .github/workflows/robot-app.yml")
    .option(
      "--action <name>",
      "use this action for the workflow; otherwise it runs this package",
      textMatching(ACTION, "OWNER/REPOSITORY@REF", "--action me/robot-daemon@v1"),
    )
    .option("--pre-commit", "a hook for the tool pre-commit: .pre-commit-config.yaml")
    .option("--pre-push", "git's own hook before a push")
    .option("--force", "replace files with other content")
    .option("--json", "write one JSON object with the files")
    .addHelpText("after", HELP)
    .action(async (given: string, flags: CiFlags) => {
      await writeChecks(path.resolve(terminal.cwd, given), flags, terminal);
    });
  return command.addCommand(summaryCommand(terminal));
}

/** `ci summary`: what the GitHub action (action.yml) calls at its end. */
function summaryCommand(terminal: Terminal): Command {
  return new Command("summary")
    .description("Write a job's summary in Markdown, from the folder of a check and a certification.")
    .argument("<folder>", "the folder with check.json and verdict.json")
    .option(
      "--artifact <name>",
      "the artifact that the job uploads",
      nonEmptyText("a name", "--artifact verdict"),
      "verdict",
    )
    .option("--certification", "a certification was asked for: without verdict.json there is no verdict", false)
    .addHelpText("after", "\nExamples:\n  robot-app-assistant ci summary out --artifact verdict --certification")
    .action(async (given: string, options: SummaryOptions) => {
      const folder = path.resolve(terminal.cwd, given);
      const check = await readReport(folder, "check.json");
      if (check === null) throw new WorkbenchError("bad-request", `There is no check.json in ${folder}.`);
      terminal.out(jobSummary(check, await readReport(folder, "verdict.json"), options));
    });
}

/** Writes the files that the flags or a person choose. @param app the app's folder */
async function writeChecks(app: string, flags: CiFlags, terminal: Terminal): Promise<void> {
  const wanted = await chooseFiles(flags, terminal);
  if (!wanted.workflow && !wanted.preCommit && !wanted.prePush) return terminal.out("Nothing was chosen or written.\n");
  const root = await askGit(app, ["--show-toplevel"], terminal);
  // Git's own answer: both paths may have symbolic links in them.
  const appPath = (await askGit(app, ["--show-prefix"], terminal)).replace(/\/$/, "") || ".";
  const command = ownCommand("robot-app-assistant", { ...terminal, cwd: root });
  const files: PlannedFile[] = [];
  if (wanted.workflow) {
    const { action = null } = flags;
    const version = packageVersion(terminal.packageFolder);
    files.push({
      path: path.join(root, ".github/workflows/robot-app.yml"),
      text: workflowText({ action, version, path: appPath }),
    });
  }
  if (wanted.preCommit) {
    const file = path.join(root, ".pre-commit-config.yaml");
    files.push({ path: file, text: withCheckHook(await readIfPresent(file), command, appPath), mayReplace: true });
  }
  if (wanted.prePush) {
    const file = path.resolve(app, await askGit(app, ["--git-path", "hooks/pre-push"], terminal));
    const before = await readIfPresent(file);
    const text = withPrePushCheck(before, command, appPath);
    files.push({ path: file, text, executable: true, mayReplace: before === null || isOurHook(before) });
  }
  const written: { status: string; path: string }[] = [];
  for (const file of files) {
    const status = await writePlanned(file, flags.force === true);
    written.push({ status, path: file.path });
    if (!flags.json) terminal.out(`✓ ${status} ${path.relative(terminal.cwd, file.path)}\n`);
  }
  if (flags.json) terminal.out(`${JSON.stringify({ status: "written", files: written })}\n`);
}

async function chooseFiles(
  flags: CiFlags,
  terminal: Terminal,
): Promise<{ workflow?: boolean; preCommit?: boolean; prePush?: boolean }> {
  if (flags.workflow || flags.preCommit || flags.prePush) return flags;
  if (!terminal.interactive || flags.json)
    throw new WorkbenchError("usage", "Say what to write: --workflow, --pre-commit or --pre-push.");
  return {
    workflow: await terminal.confirm("A workflow for GitHub Actions?"),
    preCommit: await terminal.confirm("A hook for the tool pre-commit?"),
    prePush: await terminal.confirm("Git's own hook before a push?"),
  };
}

/** Asks `git rev-parse`. @throws WorkbenchError `bad-request` outside of a repository, and when git cannot answer */
async function askGit(cwd: string, question: readonly string[], { env, signal }: Terminal): Promise<string> {
  const found = await execa("git", ["rev-parse", ...question], {
    cwd,
    env: { ...env, LC_ALL: "C" },
    extendEnv: false,
    reject: false,
    timeout: PROGRAM_ANSWER_MS,
    ...cancelSignalOption(signal),
  });
  signal.throwIfAborted();
  if (!found.failed) return found.stdout.trim();
  throw new WorkbenchError("bad-request", problemWithGit(cwd, found));
}

function problemWithGit(cwd: string, { code, timedOut, stderr }: Pick<Result, "code" | "timedOut" | "stderr">): string {
  const words = String(stderr).trim();
  if (!existsSync(cwd)) return `There is no folder ${cwd}.`;
  if (code === "ENOENT") return `git is not installed: ${installHint("git")}.`;
  if (timedOut) return `git did not answer within ${PROGRAM_ANSWER_MS / 1000} s in ${cwd}.`;
  if (words.includes("not a git repository")) return `${cwd} is in no git repository: run git init first.`;
  return `git cannot read the repository of ${cwd}: ${words}`;
}
