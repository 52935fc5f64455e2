import { systemClock } from "../../common/time/clock.ts";
import type { Invocation } from "../command-line/invocation.ts";
import { linkAddress } from "../robot-process/hardware/link/open.ts";
import { runScan, runSetup } from "../robot-process/hardware/setup/commands.ts";
import type { CommandContext } from "./command-context.ts";

type ServoInvocation = Extract<Invocation, { command: "scan" | "setup-servo" }>;

/** `robot-daemon scan` and `setup-servo`; false when the robot is not as it must be, or a person did not agree. */
export function runServoCommand(invocation: ServoInvocation, context: CommandContext): Promise<boolean> {
  const { isInteractive, confirm, print, report } = context;
  const agreed = invocation.command === "setup-servo" && invocation.agreed;
  const servos = {
    link: linkAddress(invocation.serialport),
    clock: systemClock,
    print: (text: string) => print(`${text}\n`),
    report: (text: string) => report(`${text}\n`),
    confirm: agreed ? async () => true : isInteractive ? confirm : null,
  };
  if (invocation.command === "scan") return runScan(servos, invocation.json);
  const { joint, id, json } = invocation;
  return runSetup(json && !agreed ? { ...servos, confirm: null } : servos, joint, id, json);
}
