import { execa } from "execa";
import { cancelSignalOption } from "../../common/machine/load-execa.ts";
import type { DoctorContext } from "./doctor-check.ts";

/** The first line that a program prints; null when it does not run or fails. */
export async function firstLineOf(
  file: string,
  args: readonly string[],
  { env, signal }: Pick<DoctorContext, "env" | "signal">,
): Promise<string | null> {
  const result = await execa(file, args, {
    env: { ...env },
    extendEnv: false,
    stdin: "ignore",
    reject: false,
    all: true,
    ...cancelSignalOption(signal),
    forceKillAfterDelay: 500,
  });
  return result.failed ? null : (result.all.trim().split("\n")[0] ?? "");
}
