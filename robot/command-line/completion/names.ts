import type { CompletedCommand, Values } from "./command-tree.ts";

/** A name for the shell function of a program: `_robot_daemon`. */
export const functionName = (program: string): string => `_${program.replaceAll("-", "_")}`;

/** The options with a value, by the command's path, a space, and the flag. */
export function valueOptionsOf(commands: readonly CompletedCommand[]): { key: string; values: Values }[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, values }) =>
      values === null ? [] : flags.map((flag) => ({ key: `${path} ${flag}`, values })),
    ),
  );
}

/** Quotes a text for zsh or fish, in single quotes. */
export const zshQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
export const fishQuote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
