import { ExecaError, execa } from "execa";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { LOG_IN } from "./token.ts";

export interface GitOptions {
  /** The app's folder. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  hubUrl: string;
  /** The account on the hub. */
  user: string;
  token: string;
  signal: AbortSignal;
}

const LOCAL_MS = 60_000;
const NETWORK_MS = 10 * 60_000;

/** What would point git to another repository than the folder's, or write what it sends into a log. */
const NOT_INHERITED =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|NAMESPACE|.*OBJECT_DIRECTORY.*|CONFIG_.*|TRACE.*|CURL_.*)$/;

/** Names of the variables that hand the account to the credential helper below. */
const USER = "ROBOT_HUB_USER";
const TOKEN = "ROBOT_HUB_TOKEN";

/** Answers git's own question for a user and password (gitcredentials(7)); the shell's echo starts no process. */
const HELPER = `!f() { test "$1" = get && echo "username=$${USER}" && echo "password=$${TOKEN}"; }; f`;

/**
 * Git in the folder of an app. The hub's token is in the environment of commands that reach the hub, and nowhere else:
 * not in arguments, addresses, configuration, or what other credential helpers would keep.
 */
export class Git {
  readonly #options: GitOptions;

  constructor(options: GitOptions) {
    this.#options = options;
  }

  /** Runs a command and returns what it prints. @throws WorkbenchError with git's own words; the signal's reason */
  run(...args: readonly string[]): Promise<string> {
    return this.#git(args, LOCAL_MS, {});
  }

  /** The same; null when git ends with an error, since that is an answer too. */
  async attempt(...args: readonly string[]): Promise<string | null> {
    return this.run(...args).catch((error) => {
      if (error instanceof WorkbenchError) return null;
      throw error;
    });
  }

  /** Runs a command that reaches the hub. */
  reach(...args: readonly string[]): Promise<string> {
    const { hubUrl, user, token } = this.#options;
    return this.#git(args, NETWORK_MS, {
      GIT_CONFIG_COUNT: "2",
      // An empty one forgets those of the user's configuration: none of them is asked, and none told to keep the token.
      GIT_CONFIG_KEY_0: "credential.helper",
      GIT_CONFIG_VALUE_0: "",
      GIT_CONFIG_KEY_1: `credential.${hubUrl}.helper`,
      GIT_CONFIG_VALUE_1: HELPER,
      [USER]: user,
      [TOKEN]: token,
    });
  }

  async #git(args: readonly string[], timeout: number, more: Record<string, string>): Promise<string> {
    const { folder, env, signal, token } = this.#options;
    const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_INHERITED.test(name)));
    try {
      const { stdout } = await execa("git", args, {
        cwd: folder,
        env: { ...kept, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "", ...more },
        extendEnv: false,
        stdin: "ignore",
        timeout,
        cancelSignal: signal,
      });
      return stdout;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ExecaError)) throw error;
      throw explained(error, args[0] ?? "", token);
    }
  }
}

function explained(error: ExecaError, command: string, token: string): WorkbenchError {
  if (error.code === "ENOENT") {
    return new WorkbenchError("publish-refused", "git is not installed, which publishing needs: apt install git.");
  }
  const words = String(error.stderr ?? "").trim();
  const said = error.timedOut ? "it took too long" : words.replaceAll(token, "…") || `exit code ${error.exitCode}`;
  const detail = `git ${command} did not succeed: ${said}`;
  if (/Authentication failed|could not read Username|returned error: 40[13]/.test(words)) {
    return new WorkbenchError("hub-token", `${detail}\n${LOG_IN}`, { cause: error });
  }
  if (/Could not resolve|Failed to connect|Couldn't connect|returned error: 5\d\d/i.test(words)) {
    return new WorkbenchError("hub-unreachable", `${detail}\nCheck the network, then publish again.`, { cause: error });
  }
  return new WorkbenchError("publish-refused", `${detail}\nMend what it says, then publish again.`, { cause: error });
}
