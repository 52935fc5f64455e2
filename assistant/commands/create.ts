import { existsSync } from "node:fs";
import path from "node:path";
import { Command, Option } from "commander";
import { ownCommand } from "../../common/machine/own-command.ts";
import { DEFAULT_DIALECT, DIALECT_IDS, DIALECTS, type Dialect, dialectById } from "../../robot/dialects/dialects.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { parseAppName } from "../create/app-name.ts";
import { createApp } from "../create/create-app.ts";
import { nextSteps } from "../create/next-steps.ts";
import { layersOf, TEMPLATES, type TemplateName } from "../create/template.ts";
import { EXIT, type Question, type Terminal } from "../terminal.ts";
import { type PublishFlags, publish, requireYesForJson, withPublishOptions } from "./publish.ts";

const HELP = `
The app's folder, <destination>/<app_name>, must not exist or must be empty. It is created completely or not at all.
Exit codes: 0 created, 1 declined, 2 a name or folder that cannot be used.

Templates:
${TEMPLATES.map(({ value, hint }) => `  ${value.padEnd(14)} ${hint}`).join("\n")}
On a terminal the command asks for what is not given.

Dialects:
${DIALECTS.map(({ id, sdk }) => `  ${id.padEnd(14)} for ${sdk.module} (${sdk.distribution} on the Python index)`).join("\n")}

Examples:
  robot-app-assistant create my_app
  robot-app-assistant create my_app --template page
  robot-app-assistant create my_app ~/apps --dialect reachy_mini
  robot-app-assistant create chatty ~/apps --template conversation --publish --private`;

interface Flags extends PublishFlags {
  dialect: string;
  template?: TemplateName;
  publish?: true;
  json?: true;
}

/** `create`: creates an app from a template, ready to run. */
export function createCommand(terminal: Terminal): Command {
  const command = new Command("create")
    .description("Create an app that is ready to run.")
    .argument("[app_name]", "name of its Python package, for example my_app")
    .argument("[destination]", "folder to create the app's folder in", ".")
    .addOption(
      new Option("--template <name>", "files to start with (default: default)").choices(
        TEMPLATES.map(({ value }) => value),
      ),
    )
    .addOption(
      new Option("--dialect <name>", "names to write it in: those of the SDK that it imports")
        .choices(DIALECT_IDS)
        .default(DEFAULT_DIALECT.id),
    )
    .option("--publish", "also publish it, as publish --skip-certify does")
    .option("--json", "write one JSON object with the app's name and folder");
  return withPublishOptions(command)
    .addHelpText("after", HELP)
    .action(async (givenName: string | undefined, destination: string, flags: Flags) => {
      if (flags.publish) requireYesForJson(flags, terminal);
      const given = givenName ?? (await askName(terminal));
      if (given === undefined) return;
      const app = parseAppName(given);
      const dialect = dialectById(flags.dialect) ?? DEFAULT_DIALECT;
      const template = await chooseTemplate(flags, terminal);
      if (template === undefined) return;
      refuseTemplate(template, dialect);
      if (!(await mayCreate(path.resolve(terminal.cwd, destination), terminal))) return;
      const folder = await createApp({
        app,
        dialect,
        template: layersOf(template).map((layer) =>
          path.join(terminal.packageFolder, "assistant/create/templates", layer),
        ),
        destination: path.resolve(terminal.cwd, destination),
        assistant: (folder) => ownCommand("robot-app-assistant", { ...terminal, cwd: folder }),
        signal: terminal.signal,
      });
      if (flags.json && !flags.publish)
        return terminal.out(`${JSON.stringify({ status: "created", app: app.name, folder, template })}\n`);
      const say = flags.json ? terminal.err : terminal.out;
      if (app.name !== given) say(`The app is named ${app.name}: ${WHY_RENAMED}.\n`);
      say(`Created ${folder}\n`);
      // A template is no work of the author yet; publish certifies what becomes of it.
      const published = flags.publish === true && (await publish(folder, { ...flags, skipCertify: true }, terminal));
      const { cwd, packageFolder, env } = terminal;
      say(`\nNext:\n${nextSteps({ folder, cwd, packageFolder, env, published })}`);
    });
}

/** The template that flags name or a person chooses; undefined when the person cancels. */
async function chooseTemplate({ template }: Flags, terminal: Terminal): Promise<TemplateName | undefined> {
  if (template !== undefined || !terminal.interactive) return template ?? "default";
  const chosen = await terminal.choose({ message: "Which template?", options: TEMPLATES, initial: "default" });
  return (chosen as TemplateName | undefined) ?? endWithNothingCreated(terminal);
}

/** Whether the destination is there, or a person wants it: a folder that is missing can be a slip. */
async function mayCreate(destination: string, terminal: Terminal): Promise<boolean> {
  if (!terminal.interactive || existsSync(destination)) return true;
  if (await terminal.confirm(`There is no folder ${destination}. Create it?`)) return true;
  endWithNothingCreated(terminal);
  return false;
}

function endWithNothingCreated(terminal: Terminal): undefined {
  terminal.out("Nothing was created.\n");
  terminal.setExitCode(EXIT.failed);
  return undefined;
}

/** @throws WorkbenchError `usage` for a template that needs more than the two SDKs have in common */
function refuseTemplate(template: TemplateName, dialect: Dialect): void {
  const chosen = TEMPLATES.find(({ value }) => value === template);
  if (!chosen?.onlyDefaultDialect || dialect === DEFAULT_DIALECT) return;
  const next = `Use another template, or --dialect ${DEFAULT_DIALECT.id}.`;
  throw new WorkbenchError(
    "usage",
    `The template ${template} is written for ${DEFAULT_DIALECT.sdk.module} only. ${next}`,
  );
}

const WHY_RENAMED = "Python modules have underscores, and pip and the hub treat hyphens, dots and capitals as the same";

const NAME: Question = { message: "Name of the app?", fallback: "my_app", validate: nameProblem };

/**
 * Asks for the name; undefined when the person cancels.
 * @throws WorkbenchError `usage` when no terminal can answer questions
 */
async function askName(terminal: Terminal): Promise<string | undefined> {
  if (!terminal.interactive)
    throw new WorkbenchError("usage", "<app_name> is missing, as in: robot-app-assistant create my_app");
  return (await terminal.ask(NAME)) ?? endWithNothingCreated(terminal);
}

function nameProblem(given: string): string | undefined {
  try {
    parseAppName(given);
    return undefined;
  } catch (error) {
    return (error as WorkbenchError).message;
  }
}
