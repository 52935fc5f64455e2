import type { CompletedCommand, Values } from "./command-tree.ts";

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

/** What a script has read when it reaches a command: the path of the command's parent, a space, the command's name. */
export function parentAndName(path: string): string {
  const words = path.split(" ");
  return `${words.slice(0, -1).join(" ")} ${words.at(-1)}`;
}

/** Quotes a text for zsh or fish, in single quotes. */
export const zshQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
export const fishQuote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
