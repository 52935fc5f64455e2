import { systemClock } from "../clock.ts";
import { linkOf } from "../hardware/link/open.ts";
import { runScan, runSetup } from "../hardware/setup/commands.ts";
import type { Invocation } from "../options.ts";
import type { Machine } from "./machine.ts";

type AssembleInvocation = Extract<Invocation, { command: "scan" | "setup-servo" }>;

/** `robot-daemon scan` and `setup-servo`; false when the robot is not as it must be, or a person did not agree. */
export function assemble(invocation: AssembleInvocation, { print, isInteractive }: Machine): Promise<boolean> {
  const agreed = invocation.command === "setup-servo" && invocation.agreed;
  const assembly = {
    link: linkOf(invocation.serialport),
    clock: systemClock,
    say: (text: string) => print(`${text}\n`),
    confirm: agreed ? async () => true : isInteractive ? askPerson : null,
  };
  if (invocation.command === "scan") return runScan(assembly);
  return runSetup(assembly, invocation.joint, invocation.id);
}

async function askPerson(message: string): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message, initialValue: false })) === true;
}
