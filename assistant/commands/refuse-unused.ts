import type { Command } from "commander";
import { WorkbenchError } from "../../robot/wire/errors.ts";

/**
 * Refuses options of a command line that would have no effect there.
 * @param names the options, as commander names their values
 * @param when goes on after "has no effect"
 * @throws WorkbenchError `usage` with the first of them that was given
 */
export function refuseUnused(command: Command, names: readonly string[], when: string): void {
  const given = command.options.find((option) => {
    const name = option.attributeName();
    return names.includes(name) && command.getOptionValueSource(name) === "cli";
  });
  if (given !== undefined) throw new WorkbenchError("usage", `${given.long} has no effect ${when}: leave it out.`);
}
