import { execa } from "execa";

/** Own configuration of nobody: the same hub on every machine. */
export const GIT_ENV = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", LC_ALL: "C" };
const DEADLINE_MS = 30_000;

/** Runs git in a repository and returns what it prints. @throws execa's error with git's own words */
export async function git(repository: string, args: readonly string[], input?: Uint8Array): Promise<Buffer> {
  const { stdout } = await execa("git", args, {
    cwd: repository,
    env: GIT_ENV,
    encoding: "buffer",
    stripFinalNewline: false,
    timeout: DEADLINE_MS,
    ...(input === undefined ? { stdin: "ignore" } : { input }),
  });
  return Buffer.from(stdout);
}

/** Like `git`, as text without the end of its last line; null when git fails, since that is an answer too. */
export async function tryGit(repository: string, args: readonly string[]): Promise<string | null> {
  return git(repository, args).then(
    (printed) => printed.toString("utf8").trimEnd(),
    () => null,
  );
}
