import path from "node:path";

export interface Place {
  /** The app's folder. */
  folder: string;
  /** Where the person is. */
  cwd: string;
  /** Folder of this package, where `npx` finds its programs. */
  packageFolder: string;
  published: boolean;
}

/** What to do with a fresh app: commands to paste, from where the person is. */
export function nextSteps({ folder, cwd, packageFolder, published }: Place): string {
  const outside = path.relative(packageFolder, cwd).startsWith("..");
  const here = outside ? folder : `./${path.relative(cwd, folder)}`;
  const app = quoted(here);
  const name = path.basename(folder);
  const steps = [
    ...(outside ? [[`cd ${quoted(packageFolder)}`, "where npx finds the programs"]] : []),
    [`npx robot-daemon install ${app}`, "again after every change"],
    [`npm start -- --startup-app ${name}`, "a simulated robot that runs it; or press Start on the dashboard"],
    [`npx robot-app-assistant check ${app}`, "what the hub and the daemon ask of an app"],
    ...(published ? [] : [[`npx robot-app-assistant publish ${app}`, "for everybody to install"]]),
  ];
  const width = Math.max(...steps.map(([command = ""]) => command.length));
  return steps.map(([command = "", why]) => `  ${command.padEnd(width)}  # ${why}\n`).join("");
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
