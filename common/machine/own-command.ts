import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join, relative } from "node:path";

export type Program = "robot-daemon" | "robot-sim" | "robot-app-assistant";

/** Where a person is: the folder, and the environment with PATH. */
export interface Workplace {
  packageFolder: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * How a person runs a program of this package: by its name where it is on PATH, with npx in a project that has the package
 * and in its own checkout, and by its path everywhere else.
 */
export function ownCommand(program: Program, { packageFolder, cwd, env }: Workplace): string {
  const file = join(packageFolder, "bin", `${program}.mjs`);
  const real = realPath(file);
  const isOurs = (path: string): boolean => realPath(path) === real;
  if (foldersOnPath(env).some((folder) => isOurs(join(folder, program)))) return program;
  const isCheckout = !packageFolder.includes("/node_modules/") && !relative(packageFolder, cwd).startsWith("..");
  if (isCheckout || foldersUpwards(cwd).some((folder) => isOurs(join(folder, "node_modules/.bin", program))))
    return `npx ${program}`;
  return shellQuote(file);
}

/** npm and npx put projects' own folders on PATH; those are not there in a person's shell. */
const foldersOnPath = ({ PATH = "" }: Workplace["env"]): string[] =>
  PATH.split(delimiter).filter((folder) => folder !== "" && basename(folder) !== ".bin");

function foldersUpwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpwards(above)];
}

const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

/** Quotes a word for a shell, unless it needs no quotes. */
export function shellQuote(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
