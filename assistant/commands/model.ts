import { Command } from "commander";
import { refuseStrays } from "../../robot/command-line/strays.ts";
import type { Terminal } from "../terminal.ts";
import { modelApplyCommand } from "./model-apply.ts";
import { modelProbeCommand } from "./model-probe.ts";
import { modelRenderCommand } from "./model-render.ts";
import { modelServeCommand } from "./model-serve.ts";
import { modelTemplateCommand } from "./model-template.ts";

/** `model`: what concerns the code-editing model itself rather than an app. */
export function modelCommand(terminal: Terminal): Command {
  const group: Command = new Command("model")
    .description("Work with the code-editing model: prompts, answers and its servers.")
    .addCommand(modelProbeCommand(terminal))
    .addCommand(modelServeCommand(terminal))
    .addCommand(modelTemplateCommand(terminal))
    .addCommand(modelRenderCommand(terminal))
    .addCommand(modelApplyCommand(terminal))
    .helpCommand(true)
    .allowExcessArguments(true)
    .action(() => {
      refuseStrays(group);
      group.help({ error: true });
    });
  return group;
}
