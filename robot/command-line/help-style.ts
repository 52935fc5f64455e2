import { type Command, Help, type Option } from "commander";

/** Longest line of a help text, in characters. */
const MAX_WIDTH = 100;
/** Where the output is no terminal. */
const UNKNOWN_WIDTH = 80;
/** A description beside a longer term is wrapped, too. */
const MIN_DESCRIPTION = 24;

/** Commander's own help, which wraps texts for narrow terminals, too. */
const PLAIN_HELP = Object.assign(new Help(), { minWidthToWrap: 0 });

/**
 * Gives a program and its commands one style of help: all texts are wrapped to the terminal, an empty list is no default, and
 * an error says which help lists the options. To be called last. Returns the command.
 */
export function useHelpStyle(command: Command): Command {
  const { writeOut = () => {}, getOutHelpWidth } = command.configureOutput();
  const width = () => Math.min(getOutHelpWidth?.() ?? UNKNOWN_WIDTH, MAX_WIDTH);
  // What follows a usage is help, too; all other output, such as versions, stays as it is.
  let isHelp = false;
  const write = (text: string): void => {
    const isUsage = text.startsWith("Usage:");
    writeOut(isHelp && !isUsage ? wrapParagraphs(text, width()) : text);
    isHelp ||= isUsage;
  };
  command
    .configureHelp({
      minWidthToWrap: MIN_DESCRIPTION,
      optionDescription,
      ...command.configureHelp(),
    })
    .configureOutput({
      getOutHelpWidth: width,
      writeOut: write,
    })
    .showHelpAfterError(`(${fullName(command)} --help lists the options)`);
  if (command.commands.length > 0) command.helpCommand("help [command]", "Show the help of a command.");
  for (const each of command.commands) useHelpStyle(each);
  return command;
}

function optionDescription(option: Option): string {
  const isEmptyList = Array.isArray(option.defaultValue) && option.defaultValue.length === 0;
  return isEmptyList ? option.description : PLAIN_HELP.optionDescription(option);
}

/** Wraps paragraphs; headings (lines that end with a colon) and indented lines, such as examples, stay as they are. */
export function wrapParagraphs(text: string, width: number): string {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const isText = /^\S/.test(line) && !line.endsWith(":");
    const last = lines.at(-1) ?? "";
    if (isText && isOpen) lines[lines.length - 1] = `${last} ${line}`;
    else lines.push(line);
    isOpen = isText;
  }
  return lines.map((line) => (/^\S/.test(line) ? PLAIN_HELP.boxWrap(line, width) : line)).join("\n");
}

/** `robot-daemon install`, for example. */
export const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
