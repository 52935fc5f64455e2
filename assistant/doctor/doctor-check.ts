import { execa } from "execa";
import { cancelSignalOption } from "../../common/machine/load-execa.ts";
import type { Clock } from "../../common/time/clock.ts";

/** `warn` is something that only some uses need; `fail` keeps the daemon or apps from running. */
type DoctorStatus = "ok" | "warn" | "fail";

export interface DoctorCheckResult {
  status: DoctorStatus;
  /** What is there, or what is missing. */
  detail: string;
  /** What to do, as a sentence; null when nothing is to be done. */
  next: string | null;
}

export interface DoctorContext {
  env: Readonly<Record<string, string | undefined>>;
  packageFolder: string;
  dataDir: string;
  daemonUrl: string;
  hubUrl: string;
  modelUrl: string;
  node: string;
  clock: Clock;
  /** Aborts the check: Ctrl-C, or the deadline of each check. */
  signal: AbortSignal;
}

/** One thing that the programs need. */
export interface DoctorCheck {
  id: string;
  title: string;
  run(context: DoctorContext): Promise<DoctorCheckResult>;
}

export const ok = (detail: string): DoctorCheckResult => ({ status: "ok", detail, next: null });
export const warn = (detail: string, next: string): DoctorCheckResult => ({ status: "warn", detail, next });
export const fail = (detail: string, next: string): DoctorCheckResult => ({ status: "fail", detail, next });

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
