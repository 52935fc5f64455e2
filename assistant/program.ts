import { Command, CommanderError } from "commander";
import { refuseStrays } from "../robot/command-line/strays.ts";
import { type ErrorCode, WorkbenchError } from "../robot/wire/errors.ts";
import { EXIT, type Terminal } from "./terminal.ts";

export type MakeCommand = (terminal: Terminal) => Command;
/** Commands by their names, each loaded when it is asked for. */
export type Commands = Readonly<Record<string, () => Promise<MakeCommand>>>;

/** The commands in the order of `--help`; each is a file of its own, and loaded when it is asked for. */
const COMMANDS: Commands = {
  create: async () => (await import("./commands/create.ts")).createCommand,
  check: async () => (await import("./commands/check.ts")).checkCommand,
  edit: async () => (await import("./commands/edit.ts")).editCommand,
  hub: async () => (await import("./commands/hub.ts")).hubCommand,
  publish: async () => (await import("./commands/publish.ts")).publishCommand,
  model: async () => (await import("./commands/model.ts")).modelCommand,
};

const UNAVAILABLE: readonly ErrorCode[] = [
  "model-unreachable",
  "model-failed",
  "model-missing",
  "hub-unreachable",
  "hub-token",
  "deadline-passed",
  "check-failed",
];
const USAGE: readonly ErrorCode[] = ["usage", "bad-request"];

/**
 * Runs one command line, for example `["edit", ".", "-i", "Add a docstring."]`. Never throws for what a user does.
 * @param more commands of other rooms, which the composition root plugs in
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
    terminal.exit(terminal.signal.aborted ? EXIT.interrupted : exitCodeOf(error));
    if (error instanceof CommanderError || terminal.signal.aborted) return;
    if (args.includes("--json")) terminal.out(`${JSON.stringify({ status: "error", error: asJson(error) })}\n`);
    else terminal.err(`error: ${messageOf(error)}\n`);
  }
}

/** The command line of robot-app-assistant with the command of a name, or with all of them when it is none. */
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
    .allowExcessArguments(true)
    .action(() => {
      refuseStrays(program);
      program.help({ error: true });
    });
  for (const load of wanted({ ...COMMANDS, ...more }, name)) program.addCommand((await load())(terminal));
  prepare(program, terminal);
  return program;
}

/** The command that is asked for by its name, or all of them: for help, and to suggest the nearest. */
function wanted(commands: Commands, name = ""): (() => Promise<MakeCommand>)[] {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return load === undefined ? Object.values(commands) : [load];
}

/** Output and errors of a command and its subcommands go to the terminal; nothing ends the process. */
function prepare(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  command.showHelpAfterError("(add --help for the options and examples)");
  for (const each of command.commands) prepare(each, terminal);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (!(error instanceof WorkbenchError)) return EXIT.no;
  if (UNAVAILABLE.includes(error.code)) return EXIT.unavailable;
  return USAGE.includes(error.code) ? EXIT.usage : EXIT.no;
}

/** What went wrong, for a program that asked for JSON. */
function asJson(error: unknown): { code: string; detail: string } {
  return { code: error instanceof WorkbenchError ? error.code : "internal", detail: messageOf(error) };
}

/** What went wrong, for a person. A defect of this program shows its trace, which a report of it needs. */
function messageOf(error: unknown): string {
  if (error instanceof WorkbenchError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
