/** The process as commands use it. `programs/robot-app-assistant/main.ts` provides the real one; tests provide their own and run commands in-process. */
export interface Terminal {
  stdin: AsyncIterable<Uint8Array>;
  out(text: string): void;
  err(text: string): void;
  /** Sets the exit code of the program, 0 unless a command sets it; does not end the program. */
  setExitCode(code: number): void;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Folder of this package, which has the templates. */
  packageFolder: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /**
   * Calls back at SIGTERM instead of ending the program, for commands that finish their work first. Returns a function
   * that ends that.
   */
  onTerminate(callback: () => void): () => void;
  /** Whether stderr is a terminal, in which progress can be redrawn. */
  liveProgress: boolean;
  /** Whether the output may have colours. */
  colour: boolean;
  /** Whether a person can answer questions. */
  interactive: boolean;
  /** Asks a yes-or-no question; false without a person to answer. */
  confirm(question: string): Promise<boolean>;
  /** Asks for a line of text; undefined without a person to answer, or when the person cancels. */
  ask(question: Question): Promise<string | undefined>;
  /** Asks for one of some values; undefined without a person to answer, or when the person cancels. */
  choose(question: Choice): Promise<string | undefined>;
  /**
   * Calls back with each key that a person presses, Ctrl-C as "\x03"; never without a terminal. Returns a function that
   * ends it and gives the terminal back.
   */
  keys(onKey: (key: string) => void): () => void;
  now(): Date;
}

/** A question with some answers. */
export interface Choice {
  message: string;
  options: readonly { value: string; hint: string }[];
  /** The value that is selected at first. */
  initial?: string;
}

/** A question for a line of text. */
export interface Question {
  message: string;
  /** The answer that an empty line means. */
  fallback: string;
  /** Returns the problem with an answer; undefined when it is valid. */
  validate(answer: string): string | undefined;
}

/** Exit codes of all commands. */
export const EXIT = {
  /** The command succeeded. */
  ok: 0,
  /** The command ran and the result is negative: a refusal, a failed check, a declined question. */
  failed: 1,
  /** The command line, or a file named on it, is invalid. */
  usage: 2,
  /** Something that the command needs is missing (a server, a model, Python), or the command itself broke. */
  unavailable: 3,
  /** Ctrl-C: 128 plus the signal's number, as in shells. */
  interrupted: 130,
} as const;
