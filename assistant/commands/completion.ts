import { Argument, Command } from "commander";
import { bashScript } from "../../robot/command-line/completion/bash.ts";
import { commandsOf } from "../../robot/command-line/completion/command-tree.ts";
import { fishScript } from "../../robot/command-line/completion/fish.ts";
import { zshScript } from "../../robot/command-line/completion/zsh.ts";
import type { Terminal } from "../terminal.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SCRIPTS;

const HELP = `
Put the line of your shell into its start-up file, or run it once for the open shell.

Examples:
  source <(robot-app-assistant completion bash)              # ~/.bashrc
  source <(robot-app-assistant completion zsh)               # ~/.zshrc, after compinit
  robot-app-assistant completion fish | source               # ~/.config/fish/config.fish`;

/**
 * `completion`: prints a script that lets a shell complete commands, options and values.
 * @param programs the command lines of the programs, from which the script is generated
 */
export function completionCommand(terminal: Terminal, programs: () => Promise<readonly Command[]>): Command {
  return new Command("completion")
    .description("Print a script with which your shell completes the three programs.")
    .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", HELP)
    .action(async (shell: Shell) => {
      for (const program of await programs()) terminal.out(SCRIPTS[shell](program.name(), commandsOf(program)));
    });
}
