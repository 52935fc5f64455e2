import type { Command } from "commander";

/**
 * Lets a command accept only some of the program's options, and lists those in its help.
 * @param names long names of the program's options that the command uses: `--data-dir`
 */
export function usesOptions(command: Command, program: Command, names: readonly string[]): Command {
  const isUsed = (long: string | undefined) => long !== undefined && names.includes(long);
  return command
    .configureHelp({
      ...command.configureHelp(),
      showGlobalOptions: true,
      visibleGlobalOptions: () => program.options.filter(({ long }) => isUsed(long)),
    })
    .hook("preAction", () => {
      const [unused] = program.options.filter(
        (option) => !isUsed(option.long) && program.getOptionValueSource(option.attributeName()) === "cli",
      );
      if (unused === undefined) return;
      const own = [...command.options.flatMap(({ long }) => long ?? []), ...names];
      const isAddress = ["--port", "--host"].includes(unused.long ?? "") && own.includes("--url");
      const takes = isAddress ? " Name the daemon with --url http://HOST:PORT." : ` It takes ${own.join(", ")}.`;
      command.error(`error: option '${unused.long}' is not an option of '${command.name()}'.${takes}`);
    });
}
