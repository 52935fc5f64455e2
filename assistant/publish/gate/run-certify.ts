import path from "node:path";
import { execa } from "execa";
import { cancelSignalOption } from "../../../common/machine/load-execa.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { publishRefused } from "../publish-refused.ts";

export interface RunCertifyOptions {
  /** The app's folder, and the folder for the verdict. */
  app: string;
  out: string;
  packageFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  onOutput(text: string): void;
  signal: AbortSignal;
}

/** Why an app of another verdict is not published, by the exit code of `certify` (docs/certifying.md). */
const REFUSALS: Readonly<Record<number, string>> = {
  1: "the app is not conformant. Fix what is marked ✗ above",
  5: "the certification is inconclusive. Look at what is marked ? above, and try again",
};
/** Time for Ctrl-C to end everything that a certification runs. */
const END_MS = 20_000;

/**
 * Certifies an app with this package's own program, in a process of its own: it uses all cores for a minute.
 * @throws WorkbenchError `publish-refused` for every verdict but `conformant`, `check-failed` when there is none; the
 *   signal's reason
 */
export async function runCertify({ app, out, packageFolder, env, onOutput, signal }: RunCertifyOptions): Promise<void> {
  const program = path.join(packageFolder, "bin/robot-app-assistant.mjs");
  const running = execa(process.execPath, [program, "certify", app, "--out", out], {
    env: { ...env },
    extendEnv: false,
    stdin: "ignore",
    all: true,
    buffer: false,
    reject: false,
    ...cancelSignalOption(signal),
    gracefulCancel: false,
    forceKillAfterDelay: END_MS,
    killSignal: "SIGINT",
  });
  running.all.on("data", (bytes: Buffer) => onOutput(String(bytes)));
  const { exitCode = 3 } = await running;
  signal.throwIfAborted();
  if (exitCode === 0) return;
  const why = REFUSALS[exitCode];
  const skip = "Or publish with --skip-certify, which the app's page then says.";
  if (why !== undefined) throw publishRefused(`Not published: ${why}. ${skip}`);
  throw new WorkbenchError("check-failed", `Not published: the certification itself failed (${exitCode}). ${skip}`);
}
