import path from "node:path";
import { ownCommand, shellQuote, type Workplace } from "../../common/machine/own-command.ts";

interface NextStepsOptions extends Workplace {
  folder: string;
  published: boolean;
}

/** Commands for a new app, to paste in the person's working directory: they fit the place where the programs are. */
export function nextSteps({ folder, published, ...place }: NextStepsOptions): string {
  const relative = path.relative(place.cwd, folder);
  const app = shellQuote(relative.startsWith("..") ? relative : `./${relative}`);
  const assistant = ownCommand("robot-app-assistant", place);
  const steps = [
    [`${assistant} dev ${app} --open`, "run it on a simulated robot, again after every save"],
    [`${assistant} test ${app}`, "run its tests on a simulated robot, in virtual time"],
    [`${assistant} check ${app}`, "find mistakes before you publish"],
    ...(published ? [] : [[`${assistant} publish ${app}`, "to let others install it"]]),
  ];
  const width = Math.max(...steps.map(([command = ""]) => command.length));
  return steps.map(([command = "", why]) => `  ${command.padEnd(width)}  # ${why}\n`).join("");
}
