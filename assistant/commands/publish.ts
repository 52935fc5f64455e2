import path from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { ownCommand } from "../../common/machine/own-command.ts";
import { nonEmptyText, textMatching } from "../../robot/command-line/values.ts";
import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { formatReport } from "../check/format-report.ts";
import { runCertify } from "../publish/gate/run-certify.ts";
import { type PublishChoices, publishApp } from "../publish/publish-app.ts";
import { EXIT, type Terminal } from "../terminal.ts";

const HELP = `
The app is checked and certified first, which takes one to four minutes; its page gets the badge and a link to the
report. What is certified is what is published. --skip-certify leaves the certification out, and the page says so. Then
its space is created unless it exists, the files that .gitignore does not exclude are committed, and git pushes them
without force.

The token is that of the platform CLI's login: HF_TOKEN, or the one that hf auth login stores. On a terminal the command
asks before it publishes. Exit codes: 0 published (or nothing to publish), 1 refused or declined, 2 an invalid command
line, 3 no token or no hub.

Examples:
  robot-app-assistant publish my_app
  robot-app-assistant publish my_app --skip-certify
  robot-app-assistant publish my_app --private -m "Look up, too"
  HF_TOKEN=hf_local_write robot-app-assistant publish my_app --hub-url http://127.0.0.1:8003`;

/** Names of users and organisations on the hub. */
const OWNER = /^[A-Za-z0-9][\w.-]{0,95}$/;

/** Options of `publish` and `create --publish`. */
export interface PublishFlags extends PublishChoices {
  yes?: true;
  json?: true;
}

/** `publish`: publishes an app on the hub, or updates its space. */
export function publishCommand(terminal: Terminal): Command {
  const command = new Command("publish")
    .description("Publish an app on the hub, where robots install it from.")
    .argument("[path_to_app]", "the app's folder, where its pyproject.toml is", ".")
    .option("--skip-certify", "publish without certifying the app; its page says so")
    .option("--pull-request", "open a pull request on the space instead of changing it")
    .option("-m, --message <text>", "message of the commit", nonEmptyText("a sentence", '--message "Wave twice."'))
    .option("--json", "write one JSON object with the space's address; needs --yes on a terminal");
  return withPublishOptions(command)
    .addHelpText("after", HELP)
    .action(async (given: string, flags: PublishFlags) => {
      await publish(path.resolve(terminal.cwd, given), flags, terminal);
    });
}

export function withPublishOptions(command: Command): Command {
  return command
    .option("--hub-url <url>", "the hub to publish to", hubAddress, PUBLIC_HUB)
    .option(
      "--owner <name>",
      "user or organisation of the space (default: yourself)",
      textMatching(OWNER, "a name on the hub", "--owner makers"),
    )
    .option("--private", "create the space as private")
    .option("-y, --yes", "publish without asking");
}

/** @throws WorkbenchError `usage` where a person would have to be asked while the output is JSON */
export function requireYesForJson({ json, yes }: Pick<PublishFlags, "json" | "yes">, { interactive }: Terminal): void {
  if (json && interactive && !yes)
    throw new WorkbenchError("usage", "--json cannot ask: add --yes to publish the app.");
}

/** Publishes the app of a folder and reports the result. Returns false when a person declines. */
export async function publish(folder: string, flags: PublishFlags, terminal: Terminal): Promise<boolean> {
  const { out, err, packageFolder, env, signal } = terminal;
  const say = flags.json ? err : out;
  requireYesForJson(flags, terminal);
  const published = await publishApp({
    ...{ ...flags, folder, env, signal },
    certify: (places) => runCertify({ ...places, packageFolder, env, signal, onOutput: err }),
    onStage: (line) => say(`✓ ${line}\n`),
    onReport: (report) => say(formatReport(report, terminal.colour)),
    // A script confirms by running the command.
    confirm: async (question) => flags.yes === true || !terminal.interactive || (await terminal.confirm(question)),
  });
  if (published === null) {
    out("Not published.\n");
    terminal.setExitCode(EXIT.failed);
    return false;
  }
  const { address, commit, pushed, pullRequest } = published;
  if (flags.json) {
    const status = pullRequest !== undefined ? "pull-request" : pushed ? "published" : "unchanged";
    out(`${JSON.stringify({ status, address, commit, pull_request: pullRequest ?? null })}\n`);
    return true;
  }
  if (pullRequest !== undefined) {
    out(`✓ opened a pull request\n\n${pullRequest}\n`);
    return true;
  }
  const state = commit.slice(0, 7);
  const what = pushed ? `published ${state}` : `nothing to publish: the space is at ${state} already`;
  const hub = flags.hubUrl === PUBLIC_HUB ? "" : ` --hub-url ${flags.hubUrl}`;
  const daemon = ownCommand("robot-daemon", terminal);
  out(`✓ ${what}\n\n${address}\nInstall it with: ${daemon} install ${address}${hub}\n`);
  return true;
}

/** A hub's address without a slash at the end. Only https, or http on this machine, keeps the token secret. */
function hubAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? "");
  const safe = url?.protocol === "https:" || (url?.protocol === "http:" && loopback);
  if (url !== undefined && safe && url.username === "" && url.search === "") return text.replace(/\/+$/, "");
  throw new InvalidArgumentError(`Use an https address, or http on this machine, for example --hub-url ${PUBLIC_HUB}.`);
}
