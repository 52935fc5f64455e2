import path from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { words } from "../../robot/command-line/values.ts";
import { PUBLIC_HUB } from "../../robot/wire/app-package.ts";
import { showReport } from "../check/show.ts";
import { publishApp } from "../publish/publish-app.ts";
import { EXIT, type Terminal } from "../terminal.ts";

const HELP = `
The app is checked first. Then its space is made, unless it is there, what .gitignore lets through is committed, and git
pushes it; nothing is ever forced. The token is that of the platform CLI's login: HF_TOKEN, or what hf auth login keeps.
Where a person is there to be asked, they are. Exit codes: 0 published (or nothing to publish), 1 refused or declined,
2 a wrong command line, 3 no token, no hub.

Examples:
  robot-app-assistant publish my_app
  robot-app-assistant publish my_app --private -m "Look up, too"
  HF_TOKEN=hf_local_write robot-app-assistant publish my_app --hub-url http://127.0.0.1:8003`;

/** What both `publish` and `create --publish` take. */
export interface PublishFlags {
  hubUrl: string;
  private?: true;
  message?: string;
  yes?: true;
}

/** `publish`: puts an app on the hub, or its newest state when it is there already. */
export function publishCommand(terminal: Terminal): Command {
  const command = new Command("publish")
    .description("Publish an app on the hub, from where robots install it.")
    .argument("<path_to_app>", "the app's folder, where its pyproject.toml is")
    .option("-m, --message <text>", "what has changed", words("a sentence", '--message "Wave twice."'));
  return withPublishOptions(command)
    .addHelpText("after", HELP)
    .action(async (given: string, flags: PublishFlags) => {
      await publish(path.resolve(terminal.cwd, given), flags, terminal);
    });
}

export function withPublishOptions(command: Command): Command {
  return command
    .option("--hub-url <url>", "the hub to publish to", hubAddress, PUBLIC_HUB)
    .option("--private", "make the space for yourself only")
    .option("-y, --yes", "publish without asking");
}

/** Publishes the app of a folder and tells how it went. Returns false when a person declines. */
export async function publish(folder: string, flags: PublishFlags, terminal: Terminal): Promise<boolean> {
  const published = await publishApp({
    folder,
    hubUrl: flags.hubUrl,
    private: flags.private === true,
    message: flags.message,
    env: terminal.env,
    signal: terminal.signal,
    onStage: (line) => terminal.out(`✓ ${line}\n`),
    onReport: (report) => terminal.out(showReport(report, terminal.colour)),
    // A script has said what it wants by running the command.
    confirm: async (question) => flags.yes === true || !terminal.interactive || (await terminal.confirm(question)),
  });
  if (published === null) {
    terminal.out("Not published.\n");
    terminal.exit(EXIT.no);
    return false;
  }
  const { address, commit, moved } = published;
  const state = commit.slice(0, 7);
  const what = moved ? `published ${state}` : `nothing to publish: the space stands at ${state} already`;
  const hub = flags.hubUrl === PUBLIC_HUB ? "" : ` --hub-url ${flags.hubUrl}`;
  terminal.out(`✓ ${what}\n\n${address}\nInstall it with: npx robot-daemon install ${address}${hub}\n`);
  return true;
}

/** An address without a slash at the end. The token would be readable on the way to another machine without https. */
function hubAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? "");
  const safe = url?.protocol === "https:" || (url?.protocol === "http:" && loopback);
  if (url !== undefined && safe && url.username === "" && url.search === "") return text.replace(/\/+$/, "");
  throw new InvalidArgumentError(`Use an https address, or http on this machine, for example --hub-url ${PUBLIC_HUB}.`);
}
