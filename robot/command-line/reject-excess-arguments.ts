import type { Command } from "commander";
import { closestMatch } from "../../common/closest-match.ts";
import { formatForMessage } from "../wire/validation/format-for-message.ts";
import { fullName } from "./help-style.ts";

/**
 * Ends the program when its command line has an argument that is not one of its commands, and names the closest one. To be
 * called in the action of a program, or group of commands, that allows excess arguments.
 * @throws CommanderError with exit code 2, after the message was printed
 */
export function rejectExcessArguments(program: Command): void {
  const [word] = program.args;
  if (word === undefined) return;
  // As the help shows them: without those that only other programs use.
  const commands = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name())
    .filter((name) => name !== "help");
  const options = program.options.flatMap(({ long }) => long ?? []);
  const names = [...commands, ...options];
  const bare = (name: string): string => name.replace(/^--/, "");
  const close = closestMatch(bare(word), names.map(bare));
  const meant = close === undefined ? "" : ` Did you mean ${names.find((name) => bare(name) === close)}?`;
  const there =
    commands.length === 0
      ? "It takes options only."
      : `The commands are ${commands.join(", ")}; options begin with --.`;
  program.error(`error: ${formatForMessage(word)} is no command of ${fullName(program)}.${meant} ${there}`, {
    exitCode: 2,
  });
}
