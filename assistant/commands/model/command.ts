import { Command } from "commander";
import { rejectExcessArguments } from "../../../robot/command-line/reject-excess-arguments.ts";
import type { Terminal } from "../../terminal.ts";
import { modelApplyCommand } from "./apply.ts";
import { modelRenderCommand } from "./render.ts";
import { modelTemplateCommand } from "./template.ts";

/** `model`: commands about the code-editing model rather than an app. */
export function modelCommand(terminal: Terminal): Command {
  const group: Command = new Command("model")
    .description("Work with the code-editing model: prompts, answers and templates.")
    .addCommand(modelTemplateCommand(terminal))
    .addCommand(modelRenderCommand(terminal))
    .addCommand(modelApplyCommand(terminal))
    .helpCommand(true)
    .allowExcessArguments(true)
    .action(() => {
      rejectExcessArguments(group);
      group.help({ error: true });
    });
  return group;
}
