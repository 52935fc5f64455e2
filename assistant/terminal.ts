/**
 * What a command may use of the process around it. `main.ts` binds it to the real one; tests bring their own and run
 * every command without a child process.
 */
export interface Terminal {
  stdin: AsyncIterable<Uint8Array>;
  out(text: string): void;
  err(text: string): void;
  /** The code that the program ends with; 0 unless a command says otherwise. */
  exit(code: number): void;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Folder of this package, where the templates are. */
  packageFolder: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Whether a person reads the output: colours. */
  colour: boolean;
  /** Whether a person is there to be asked. */
  interactive: boolean;
  /** Asks a person; false when there is nobody to ask. */
  confirm(question: string): Promise<boolean>;
  /** Asks a person for a line; undefined when there is nobody to ask, or the question is waved away. */
  ask(question: Question): Promise<string | undefined>;
  /** Runs this program again with other arguments, its output shown in the same terminal or not; resolves to its exit code. */
  runSelf(args: readonly string[], output: "shown" | "hidden"): Promise<number>;
  now(): Date;
}

/** A question for a line of text. */
export interface Question {
  message: string;
  /** What an empty line stands for. */
  usual: string;
  /** What is wrong with an answer; undefined when it is taken. */
  faultOf(answer: string): string | undefined;
}

/** Exit codes that all commands share. */
export const EXIT = {
  /** The command did what it was asked. */
  done: 0,
  /** It ran, and the answer is no: a refusal, a failed check, a declined question. */
  no: 1,
  /** The command line, or a file named on it, is off. */
  usage: 2,
  /** Something that the command needs is not there: a server, a model, Python; or the command itself broke. */
  unavailable: 3,
  /** Ctrl-C, by the shells' custom of 128 plus the signal. */
  interrupted: 130,
} as const;
