import type { Command } from "commander";
import { distance } from "fastest-levenshtein";
import { shown } from "../wire/shown.ts";

/**
 * Ends a command line with a word that is no command of this program, naming the nearest. To be called by the action of
 * a program (or a group of commands) that allows excess arguments.
 * @throws CommanderError with exit code 2, after its text went out
 */
export function refuseStrays(program: Command): void {
  const [word] = program.args;
  if (word === undefined) return;
  const commands = program.commands.map((command) => command.name());
  const options = program.options.flatMap(({ long }) => long ?? []);
  const near = [...commands, ...options]
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.replace(/^--/, "")) }))
    .filter(({ name, edits }) => edits <= Math.max(2, name.length / 4))
    .sort((one, other) => one.edits - other.edits)[0];
  const meant = near === undefined ? "" : ` Did you mean ${near.name}?`;
  const there =
    commands.length === 0
      ? "It takes options only."
      : `The commands are ${commands.join(", ")}; options begin with --.`;
  program.error(`error: ${shown(word)} is no command of ${fullName(program)}.${meant} ${there}`, { exitCode: 2 });
}

const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
