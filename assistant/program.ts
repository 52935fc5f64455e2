import { Command, CommanderError } from "commander";
import { useHelpStyle } from "../robot/command-line/help-style.ts";
import { rejectExcessArguments } from "../robot/command-line/reject-excess-arguments.ts";
import { type ErrorCode, WorkbenchError } from "../robot/wire/errors.ts";
import { EXIT, type Terminal } from "./terminal.ts";

type MakeCommand = (terminal: Terminal) => Command;
/** Loaders of commands by name. */
export type Commands = Readonly<Record<string, () => Promise<MakeCommand>>>;

/** The commands of this room, in the order of `--help`. Each is loaded only when it is used. */
const COMMANDS: Commands = {
  create: async () => (await import("./commands/create.ts")).createCommand,
  dev: async () => (await import("./commands/dev.ts")).devCommand,
  check: async () => (await import("./commands/check.ts")).checkCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
  ci: async () => (await import("./commands/ci.ts")).ciCommand,
  edit: async () => (await import("./commands/edit/command.ts")).editCommand,
  chat: async () => (await import("./commands/chat.ts")).chatCommand,
  publish: async () => (await import("./commands/publish.ts")).publishCommand,
  model: async () => (await import("./commands/model/command.ts")).modelCommand,
};

const UNAVAILABLE: readonly ErrorCode[] = [
  "model-unreachable",
  "model-failed",
  "model-missing",
  "hub-unreachable",
  "hub-token",
  "deadline-passed",
  "check-failed",
  "daemon-unreachable",
  "daemon-failed",
];
const USAGE: readonly ErrorCode[] = ["usage", "bad-request"];

/**
 * Runs a command line, for example `["edit", ".", "-i", "Add a docstring."]`. Never throws for mistakes of a user.
 * @param more commands of other rooms, which the program plugs in
 */
export async function runProgram(
  args: readonly string[],
  version: string,
  terminal: Terminal,
  more: Commands = {},
): Promise<void> {
  const program = await assistantProgram(args[0], version, terminal, more);
  try {
    await program.parseAsync(args as string[], { from: "user" });
  } catch (error) {
    terminal.setExitCode(terminal.signal.aborted ? EXIT.interrupted : exitCodeOf(error));
    if (error instanceof CommanderError || terminal.signal.aborted) return;
    if (asksForJson(args)) terminal.out(`${JSON.stringify({ status: "error", error: errorAsJson(error) })}\n`);
    else terminal.err(`error: ${messageOf(error)}\n`);
  }
}

/** Whether a command line has `--json`, or `--format json`, which means the same. */
const asksForJson = (args: readonly string[]): boolean =>
  args.some(
    (arg, at) => arg === "--json" || arg === "--format=json" || (arg === "json" && args[at - 1] === "--format"),
  );

const HELP = `
Examples:
  robot-app-assistant create my_app
  robot-app-assistant dev my_app --open
  robot-app-assistant check my_app
  robot-app-assistant certify my_app
  robot-app-assistant edit my_app -i "Wave twice before sleeping."
  robot-app-assistant help publish`;

/** The command line of robot-app-assistant with the command of this name, or with all commands for any other name. */
export async function assistantProgram(
  name: string | undefined,
  version: string,
  terminal: Terminal,
  more: Commands = {},
): Promise<Command> {
  const program: Command = new Command("robot-app-assistant")
    .description("Creates, checks, edits and publishes robot apps.")
    .version(version)
    .helpCommand(true)
    .addHelpText("after", HELP)
    .allowExcessArguments(true)
    .action(() => {
      rejectExcessArguments(program);
      program.help({ error: true });
    });
  for (const load of commandsToLoad({ ...COMMANDS, ...more }, name)) program.addCommand((await load())(terminal));
  useTerminal(program, terminal);
  return useHelpStyle(program);
}

/** The loader of the command of this name, or all loaders: for help, and to suggest a similar name. */
function commandsToLoad(commands: Commands, name = ""): (() => Promise<MakeCommand>)[] {
  if (name === "--version" || name === "-V") return [];
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return load === undefined ? Object.values(commands) : [load];
}

/** Sends output and errors of a command and its subcommands to the terminal; nothing ends the process. */
function useTerminal(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  for (const each of command.commands) useTerminal(each, terminal);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!(error instanceof WorkbenchError)) return EXIT.failed;
  if (UNAVAILABLE.includes(error.code)) return EXIT.unavailable;
  return USAGE.includes(error.code) ? EXIT.usage : EXIT.failed;
}

function errorAsJson(error: unknown): { code: string; detail: string } {
  return { code: error instanceof WorkbenchError ? error.code : "internal", detail: messageOf(error) };
}

/** An error as text for a person. A defect of this program shows its trace, for a bug report. */
function messageOf(error: unknown): string {
  if (error instanceof WorkbenchError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
