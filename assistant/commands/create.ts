import path from "node:path";
import { Command, Option } from "commander";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { appNameOf } from "../create/app-name.ts";
import { createApp } from "../create/create-app.ts";
import { nextSteps } from "../create/next-steps.ts";
import { TEMPLATES, type TemplateName } from "../create/template.ts";
import { EXIT, type Question, type Terminal } from "../terminal.ts";
import { type PublishFlags, publish, withPublishOptions } from "./publish.ts";

const HELP = `
The app's folder, <destination>/<app_name>, must not be there yet, or be empty. It is made whole or not at all. Exit
codes: 0 made, 1 declined, 2 a name or place that cannot be used.

Templates:
  default        moves at once: one short file to change
  conversation   listens, thinks with a language model, speaks, and moves while it does; has a settings page

Examples:
  robot-app-assistant create my_app .
  robot-app-assistant create chatty ~/apps --template conversation --publish --private`;

interface Flags extends PublishFlags {
  template: TemplateName;
  publish?: true;
}

/** `create`: makes an app from a template, ready to run. */
export function createCommand(terminal: Terminal): Command {
  const command = new Command("create")
    .description("Make an app that runs at once.")
    .argument("[app_name]", "its name: a Python package, for example my_app")
    .argument("[destination]", "the folder that the app's folder is made in")
    .addOption(new Option("--template <name>", "what it begins with").choices(TEMPLATES).default("default"))
    .option("--publish", "publish it at once, as the command publish does");
  return withPublishOptions(command)
    .addHelpText("after", HELP)
    .action(async (givenName: string | undefined, givenPlace: string | undefined, flags: Flags) => {
      const given = givenName ?? (await answerTo(NAME, "<app_name>", terminal));
      if (given === undefined) return;
      const app = appNameOf(given);
      const destination = givenPlace ?? (await answerTo(PLACE, "<destination>", terminal));
      if (destination === undefined) return;
      const folder = await createApp({
        app,
        template: path.join(terminal.packageFolder, "assistant/create/templates", flags.template),
        destination: path.resolve(terminal.cwd, destination),
        signal: terminal.signal,
      });
      if (app.name !== given) terminal.out(`The app is called ${app.name}: ${WHY_RENAMED}.\n`);
      terminal.out(`Made ${folder}\n`);
      const published = flags.publish === true && (await publish(folder, flags, terminal));
      const { cwd, packageFolder } = terminal;
      terminal.out(`\nNext:\n${nextSteps({ folder, cwd, packageFolder, published })}`);
    });
}

const WHY_RENAMED = "Python modules have underscores, and pip and the hub take hyphens, dots and capitals for the same";

const NAME: Question = { message: "What is the app called?", usual: "my_app", faultOf: faultOfName };
const PLACE: Question = { message: "Where shall its folder be made?", usual: ".", faultOf: () => undefined };

/**
 * The answer of a person; undefined when they wave the question away.
 * @throws WorkbenchError `usage` when nobody is there
 */
async function answerTo(question: Question, argument: string, terminal: Terminal): Promise<string | undefined> {
  if (!terminal.interactive) {
    throw new WorkbenchError("usage", `${argument} is missing, as in: robot-app-assistant create my_app .`);
  }
  const answer = await terminal.ask(question);
  if (answer !== undefined) return answer.replace(/^~(?=\/|$)/, terminal.env.HOME ?? "~"); // no shell has seen it
  terminal.out("Nothing was made.\n");
  terminal.exit(EXIT.no);
  return undefined;
}

function faultOfName(given: string): string | undefined {
  try {
    appNameOf(given);
    return undefined;
  } catch (error) {
    return (error as WorkbenchError).message;
  }
}
