import { Command } from "commander";
import type { Terminal } from "../terminal.ts";
import { modelApplyCommand } from "./model-apply.ts";
import { modelRenderCommand } from "./model-render.ts";

/** `model`: what concerns the code-editing model itself rather than an app. */
export function modelCommand(terminal: Terminal): Command {
  return new Command("model")
    .description("Work with the code-editing model: prompts, answers and its servers.")
    .addCommand(modelRenderCommand(terminal))
    .addCommand(modelApplyCommand(terminal));
}
