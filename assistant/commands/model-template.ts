import { Argument, Command } from "commander";
import { TEMPLATES } from "../edit/prompt/template.ts";
import type { Terminal } from "../terminal.ts";

const HELP = `
Example:
  robot-app-assistant model template > assistant-conversation.jinja
  llama-server -m model.gguf --special --jinja --chat-template-file assistant-conversation.jinja --port 8001`;

/** `model template`: the text of a chat template, for servers that take one as a file. */
export function modelTemplateCommand(terminal: Terminal): Command {
  const name = new Argument("[name]", "which one").choices(Object.keys(TEMPLATES)).default("assistant-conversation");
  return new Command("template")
    .description("Print a chat template, for servers that take one as a file.")
    .addArgument(name)
    .addHelpText("after", HELP)
    .action((wanted: string) => terminal.out(`${TEMPLATES[wanted]}\n`));
}
