import { ExecaError, execa } from "execa";
import { installHint } from "../../../common/machine/install-hint.ts";
import { cancelSignalOption } from "../../../common/machine/load-execa.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { LOG_IN_ADVICE } from "../hub/token.ts";

interface GitOptions {
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  hubUrl: string;
  user: string;
  token: string;
  signal: AbortSignal;
}

/** The first version that reads configuration from GIT_CONFIG_COUNT, which keeps the token out of arguments. */
const MIN_VERSION = { name: "git 2.31", number: 2031 };

const LOCAL_MS = 60_000;
const NETWORK_MS = 10 * 60_000;
const MAX_OUTPUT_BYTES = 256_000_000;

/** Variables that would make git use another repository, or write what it sends into a log. */
const NOT_INHERITED =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|NAMESPACE|.*OBJECT_DIRECTORY.*|CONFIG_.*|TRACE.*|CURL_.*)$/;

/** Variables that pass the account to the credential helper below. */
const USER = "ROBOT_HUB_USER";
const TOKEN = "ROBOT_HUB_TOKEN";

/** Answers git's request for a user and password (gitcredentials(7)); the shell's echo starts no process. */
const HELPER = `!f() { test "$1" = get && echo "username=$${USER}" && echo "password=$${TOKEN}"; }; f`;

/**
 * Runs git in the folder of an app. The hub's token is in the environment of commands that reach the hub and nowhere
 * else: not in arguments, addresses or configuration, and other credential helpers never receive it.
 */
export class Git {
  readonly #options: GitOptions;

  constructor(options: GitOptions) {
    this.#options = options;
  }

  /** @throws WorkbenchError `publish-refused` when git is missing or too old for the credential helper above */
  async requireVersion(): Promise<void> {
    const printed = await this.run("version");
    const [, major, minor] = /(\d+)\.(\d+)/.exec(printed) ?? [];
    const version = Number(major) * 1000 + Number(minor);
    if (version >= MIN_VERSION.number) return;
    const found = printed.replace(/^git version /, "git ");
    throw new WorkbenchError("publish-refused", `${found} is too old: publishing needs ${MIN_VERSION.name} or newer.`);
  }

  /** Runs a command and returns its output. @throws WorkbenchError with git's message; the signal's reason */
  async run(...args: readonly string[]): Promise<string> {
    return asText(await this.#git(args, LOCAL_MS, {}));
  }

  /**
   * Runs a command with an input and returns the bytes of its output.
   * @throws WorkbenchError with git's message; the signal's reason
   */
  runBytes(args: readonly string[], input: string): Promise<Buffer> {
    return this.#git(args, LOCAL_MS, {}, input);
  }

  /** Like `run`, but returns null when git ends with an error. */
  async tryRun(...args: readonly string[]): Promise<string | null> {
    return this.run(...args).catch((error) => {
      if (error instanceof WorkbenchError) return null;
      throw error;
    });
  }

  /** Runs a command that reaches the hub. */
  async runOnHub(...args: readonly string[]): Promise<string> {
    const { hubUrl, user, token } = this.#options;
    const output = await this.#git(args, NETWORK_MS, {
      GIT_CONFIG_COUNT: "2",
      // An empty helper removes those of the user's configuration, so that none of them stores the token.
      GIT_CONFIG_KEY_0: "credential.helper",
      GIT_CONFIG_VALUE_0: "",
      GIT_CONFIG_KEY_1: `credential.${hubUrl}.helper`,
      GIT_CONFIG_VALUE_1: HELPER,
      [USER]: user,
      [TOKEN]: token,
    });
    return asText(output);
  }

  async #git(args: readonly string[], timeout: number, more: Record<string, string>, input?: string): Promise<Buffer> {
    const { folder, env, signal, token } = this.#options;
    const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_INHERITED.test(name)));
    try {
      const { stdout } = await execa("git", args, {
        cwd: folder,
        env: { ...kept, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "", GIT_NO_REPLACE_OBJECTS: "1", ...more },
        extendEnv: false,
        encoding: "buffer",
        stripFinalNewline: false,
        maxBuffer: MAX_OUTPUT_BYTES,
        ...(input === undefined ? { stdin: "ignore" } : { input }),
        timeout,
        ...cancelSignalOption(signal),
      });
      return Buffer.from(stdout);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ExecaError)) throw error;
      throw toWorkbenchError(error, args[0] ?? "", token);
    }
  }
}

const asText = (output: Buffer): string => output.toString("utf8").replace(/\n$/, "");

function toWorkbenchError(error: ExecaError, command: string, token: string): WorkbenchError {
  if (error.code === "ENOENT") {
    return new WorkbenchError("publish-refused", `git is not installed; publishing needs it: ${installHint("git")}.`);
  }
  const words = Buffer.from((error.stderr as unknown as Uint8Array | undefined) ?? [])
    .toString("utf8")
    .trim();
  const message = error.timedOut ? "it took too long" : words.replaceAll(token, "…") || `exit code ${error.exitCode}`;
  const detail = `git ${command} failed: ${message}`;
  if (/Authentication failed|could not read Username|returned error: 40[13]/.test(words)) {
    return new WorkbenchError("hub-token", `${detail}\n${LOG_IN_ADVICE}`, { cause: error });
  }
  if (/Could not resolve|Failed to connect|Couldn't connect|returned error: 5\d\d/i.test(words)) {
    return new WorkbenchError("hub-unreachable", `${detail}\nCheck the network, then publish again.`, { cause: error });
  }
  return new WorkbenchError("publish-refused", `${detail}\nFix the problem, then publish again.`, { cause: error });
}
