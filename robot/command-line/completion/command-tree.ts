import type { Command, Option } from "commander";

/** What a shell may complete a value with: words, files, or nothing that is known. */
export type Values = readonly string[] | "files" | "none";

export interface CompletedOption {
  /** `--port`, `-y`. */
  flags: readonly string[];
  description: string;
  /** Null for an option without a value. */
  values: Values | null;
}

/** A command of a program as shells complete it. */
export interface CompletedCommand {
  /** Its words after the program's name: "" for the program itself, "model probe". */
  path: string;
  description: string;
  options: readonly CompletedOption[];
  /** The words of commands below it, with their descriptions. */
  commands: readonly { name: string; description: string }[];
  /** What its arguments are completed with. */
  values: Values;
}

/**
 * All commands of a program, the program itself first. Hidden ones are left out.
 * @param inherited options of the commands above, which commander takes behind a command, too
 */
export function commandsOf(
  program: Command,
  path = "",
  inherited: readonly CompletedOption[] = [],
): CompletedCommand[] {
  const help = program.createHelp();
  const below = help.visibleCommands(program);
  const options = help.visibleOptions(program).map(completedOption);
  const own: CompletedCommand = {
    path,
    description: program.description(),
    options: [...options, ...inherited.filter(({ flags }) => !options.some((one) => one.flags[0] === flags[0]))],
    commands: below.map((command) => ({ name: command.name(), description: oneLine(command.description()) })),
    values: argumentValues(program),
  };
  const inner = below.filter((command) => command.name() !== "help");
  return [
    own,
    ...inner.flatMap((command) =>
      commandsOf(command, `${path} ${command.name()}`.trim(), own.options.filter(isForAll)),
    ),
  ];
}

const isForAll = ({ flags }: CompletedOption): boolean => !flags.includes("--version");

function completedOption(option: Option): CompletedOption {
  const flags = [option.long, option.short].filter((flag) => flag !== undefined && flag !== null);
  const takesValue = option.required || option.optional;
  const values = option.argChoices ?? valuesFor(option.flags);
  return { flags, description: oneLine(option.description), values: takesValue ? values : null };
}

function argumentValues(command: Command): Values {
  const found = command.registeredArguments.map((argument) => argument.argChoices ?? valuesFor(argument.name()));
  const words = found.flatMap((values) => (typeof values === "string" ? [] : values));
  if (words.length > 0) return words;
  return found.includes("files") ? "files" : "none";
}

/** Values whose name says that they are files or folders. */
const valuesFor = (name: string): Values =>
  /(file|folder|dir|path|source|destination|\.pem|\.wav|\.json)\S*$/.test(name) ? "files" : "none";

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** A name for the shell function of a program: `_robot_daemon`. */
export const functionName = (program: string): string => `_${program.replaceAll("-", "_")}`;

/** The options that take a value. `key` is the path of the command, a space, and the flag. */
export function valueOptionsOf(commands: readonly CompletedCommand[]): { key: string; values: Values }[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, values }) =>
      values === null ? [] : flags.map((flag) => ({ key: `${path} ${flag}`, values })),
    ),
  );
}

/** The branches of a `case` in a script, one in each line. */
export const caseBranches = (lines: readonly string[]): string => lines.map((line) => `      ${line}\n`).join("");

/**
 * The branches by which a script for bash or zsh goes through the words before the cursor: past the value of an option, and into
 * a command.
 * @param skipValue statement that goes past a value
 * @param variable holds the path of the command
 */
export function wordBranches(commands: readonly CompletedCommand[], skipValue: string, variable: string): string {
  const valued = valueOptionsOf(commands).map(({ key }) => `"${key}"`);
  return caseBranches([
    ...(valued.length > 0 ? [`${valued.join("|")}) ${skipValue} ;;`] : []),
    ...commands
      .filter(({ path }) => path !== "")
      .map(({ path }) => `"${parentAndName(path)}") ${variable}="${path}" ;;`),
  ]);
}

/** What a script has read when it reaches a command: the path of the command's parent, a space, the command's name. */
function parentAndName(path: string): string {
  const words = path.split(" ");
  return `${words.slice(0, -1).join(" ")} ${words.at(-1)}`;
}

/** Quotes a text for zsh or fish, in single quotes. */
export const zshQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
export const fishQuote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
