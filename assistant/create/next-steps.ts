import path from "node:path";

export interface NextStepsOptions {
  /** The app's folder. */
  folder: string;
  /** The person's working directory. */
  cwd: string;
  /** Folder of this package, where `npx` finds its programs. */
  packageFolder: string;
  published: boolean;
}

/** Commands for a new app, to paste in the person's working directory. */
export function nextSteps({ folder, cwd, packageFolder, published }: NextStepsOptions): string {
  const outside = path.relative(packageFolder, cwd).startsWith("..");
  const here = outside ? folder : `./${path.relative(cwd, folder)}`;
  const app = shellQuote(here);
  const name = path.basename(folder);
  const steps = [
    ...(outside ? [[`cd ${shellQuote(packageFolder)}`, "where npx finds the programs"]] : []),
    [`npx robot-daemon install ${app}`, "again after every change"],
    [`npm start -- --startup-app ${name}`, "a simulated robot that runs it; or press Start on the dashboard"],
    [`npx robot-app-assistant check ${app}`, "what the hub and the daemon ask of an app"],
    ...(published ? [] : [[`npx robot-app-assistant publish ${app}`, "to let others install it"]]),
  ];
  const width = Math.max(...steps.map(([command = ""]) => command.length));
  return steps.map(([command = "", why]) => `  ${command.padEnd(width)}  # ${why}\n`).join("");
}

/** Quotes a word for a shell. */
function shellQuote(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
