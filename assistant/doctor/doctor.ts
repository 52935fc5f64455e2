import { homedir } from "node:os";
import { PROGRAM_ANSWER_MS } from "../../common/machine/load-execa.ts";
import { disk, environment, serial } from "./checks/machine.ts";
import { daemon, hub, model, ports, token } from "./checks/network.ts";
import { browser, git, python, versions } from "./checks/programs.ts";
import { type DoctorCheck, type DoctorCheckResult, type DoctorContext, warn } from "./doctor-check.ts";

/** All checks, in the order in which they are shown. */
export const CHECKS: readonly DoctorCheck[] = [
  versions,
  python,
  environment,
  daemon,
  ports,
  hub,
  token,
  model,
  serial,
  browser,
  git,
  disk,
];

export interface DoctorLine extends DoctorCheckResult {
  id: string;
  title: string;
}

/**
 * Runs checks side by side; each has `PROGRAM_ANSWER_MS`. No line has a secret of the environment or the person's home folder.
 * @throws the signal's reason
 */
export async function examine(
  context: DoctorContext,
  checks: readonly DoctorCheck[] = CHECKS,
): Promise<readonly DoctorLine[]> {
  const redact = redactor(context.env);
  const lines = checks.map(async ({ id, title, run }): Promise<DoctorLine> => {
    const deadline = AbortSignal.timeout(PROGRAM_ANSWER_MS);
    const result = await run({ ...context, signal: AbortSignal.any([context.signal, deadline]) }).catch((error) => {
      const why = deadline.aborted ? `no answer within ${PROGRAM_ANSWER_MS / 1000} s` : String(error?.message ?? error);
      return warn(why, "Try again; docs/troubleshooting.md");
    });
    const next = result.next === null ? null : redact(result.next);
    return { id, title, status: result.status, detail: redact(result.detail), next };
  });
  const all = await Promise.all(lines);
  context.signal.throwIfAborted();
  return all;
}

const MARKS = { ok: ["✓", 32], warn: ["!", 33], fail: ["✗", 31] } as const;

export function formatDoctor(lines: readonly DoctorLine[], colour: boolean): string {
  const width = Math.max(...lines.map(({ title }) => title.length));
  const text = lines.map(({ status, title, detail, next }) => {
    const [mark, code] = MARKS[status];
    const painted = colour ? `\x1b[${code}m${mark}\x1b[0m` : mark;
    const todo = next === null ? "" : `\n  ${" ".repeat(width)}  ${next}`;
    return `${painted} ${title.padEnd(width)}  ${detail}${todo}\n`;
  });
  const failed = lines.filter(({ status }) => status === "fail").length;
  const verdict = failed === 0 ? "Ready." : `${failed} of ${lines.length} keep apps from running.`;
  return `${text.join("")}\n${verdict}\n`;
}

/** Names of variables whose values are secrets. */
const SECRET_NAME = /TOKEN|KEY|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;
/** A shorter value would be found in ordinary words. */
const SHORTEST = 6;

/** Makes a function that removes secrets and the person's home folder from a text. */
export function redactor(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && value !== undefined && value.length >= SHORTEST ? [value] : [],
  );
  const home = env.HOME || homedir();
  return (text) =>
    secrets
      .reduce((done, secret) => done.replaceAll(secret, "[secret]"), text)
      .replace(/\bhf_\w{6,}/g, "[secret]")
      .replace(/(\w+:\/\/)[^/@\s]+@/g, "$1")
      .replace(/([?&](?:token|key)=)[^&\s]+/gi, "$1[secret]")
      .replaceAll(home, "~");
}
