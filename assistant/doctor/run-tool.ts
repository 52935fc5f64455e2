import { execa } from "execa";
import { cancelSignalOption } from "../../common/machine/load-execa.ts";
import type { DoctorContext } from "./doctor-check.ts";

/** The first line that a program prints and that matches; null when it does not run, fails or prints none. */
export async function firstLineOf(
  file: string,
  args: readonly string[],
  { env, signal }: Pick<DoctorContext, "env" | "signal">,
  pattern = /^/,
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
  if (result.failed) return null;
  return (
    result.all
      .trim()
      .split("\n")
      .find((line) => pattern.test(line)) ?? null
  );
}
