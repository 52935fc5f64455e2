import { Argument, Command } from "commander";
import { TEMPLATES } from "../../../edit/prompt/template.ts";
import type { Terminal } from "../../terminal.ts";

const HELP = `
Example:
  robot-app-assistant model template > assistant-conversation.jinja
  llama-server -m model.gguf --special --jinja --chat-template-file assistant-conversation.jinja --port 8001`;

/** `model template`: prints a chat template, for servers that take one as a file. */
export function modelTemplateCommand(terminal: Terminal): Command {
  const name = new Argument("[name]", "name of the template")
    .choices(Object.keys(TEMPLATES))
    .default("assistant-conversation");
  return new Command("template")
    .description("Print a chat template, for servers that take one as a file.")
    .addArgument(name)
    .addHelpText("after", HELP)
    .action((chosen: string) => terminal.out(`${TEMPLATES[chosen]}\n`));
}
