import { systemClock } from "../../common/time/clock.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { IdentifyInvocation, Invocation } from "../command-line/invocation.ts";
import { type DataFolder, type DataFolderHolder, tryOpenDataFolder } from "../data-folder/data-folder.ts";
import { linkAddress } from "../robot-process/hardware/link/open.ts";
import { runScan, runSetup } from "../robot-process/hardware/setup/commands.ts";
import { identifyFile, recordAndIdentify } from "../robot-process/identify/identify-command.ts";
import type { CommandContext } from "./command-context.ts";

type ServoInvocation = Extract<Invocation, { command: "scan" | "setup-servo" }>;

/** The servo bus, and where lines of text go. */
const busContext = (serialport: string | null, { print, report }: CommandContext) => ({
  link: linkAddress(serialport),
  clock: systemClock,
  print: (text: string) => print(`${text}\n`),
  report: (text: string) => report(`${text}\n`),
});

/** `robot-daemon scan` and `setup-servo`; false when the robot is not as it must be, or a person did not agree. */
export function runServoCommand(invocation: ServoInvocation, context: CommandContext): Promise<boolean> {
  const { isInteractive, confirm } = context;
  const agreed = invocation.command === "setup-servo" && invocation.agreed;
  const servos = {
    ...busContext(invocation.serialport, context),
    confirm: agreed ? async () => true : isInteractive ? confirm : null,
  };
  if (invocation.command === "scan") return runScan(servos, invocation.json);
  const { joint, id, json } = invocation;
  return runSetup(json && !agreed ? { ...servos, confirm: null } : servos, joint, id, json);
}

/**
 * `robot-daemon identify`: prints the figures of the servos, of a file or of a measurement that it makes.
 *
 * @throws WorkbenchError `data-folder-in-use` for a measurement while a daemon runs; those of `robot-process/identify/identify-command.ts`
 */
export async function runIdentify(invocation: IdentifyInvocation, context: CommandContext): Promise<void> {
  const { serialport, dataDir, file, records, json } = invocation;
  const identify = { ...busContext(serialport, context), signal: context.interrupted };
  if (!records) return identifyFile(identify, file, json);
  const folder = await claim(dataDir);
  try {
    await recordAndIdentify(identify, file, json);
  } finally {
    await folder.close();
  }
}

/** Keeps daemons and their apps away from the robot while it is measured. */
async function claim(dataDir: string): Promise<DataFolder> {
  const opened = await tryOpenDataFolder(dataDir, { doing: "identify", url: null, venv: null });
  if ("close" in opened) return opened;
  throw new WorkbenchError("data-folder-in-use", `${who(opened)} Measure again when it has ended.`);
}

function who({ pid, url, doing }: DataFolderHolder): string {
  const number = pid === null ? "in another container" : `(process ${pid})`;
  if (doing !== "daemon") return `A robot-daemon ${number} is busy with "${doing}".`;
  const end = pid === null ? "End it" : `End it (kill ${pid})`;
  return `A robot-daemon ${number}${url === null ? "" : ` at ${url}`} uses the robot, and an app may run in it. ${end}.`;
}
