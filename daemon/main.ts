import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommanderError } from "commander";
import { problemOf, WorkbenchError } from "../robot/wire/errors.ts";
import { LEAN_MEMORY } from "../sim/link/lean-memory.ts";
import { Interrupted } from "./commands/machine.ts";
import type { RunMachine } from "./commands/run.ts";
import { type Invocation, parseInvocation } from "./options.ts";

/** Folder of the package: this file is compiled to dist/daemon/main.js. */
const packageDir = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(resolve(packageDir, "package.json"), "utf8")) as { version: string };

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Reads no further than it must: each command loads what it needs. */
async function perform(invocation: Invocation, machine: RunMachine): Promise<void> {
  switch (invocation.command) {
    case "install":
      return (await import("./commands/install.ts")).install(invocation, machine);
    case "link":
      return (await import("./commands/link.ts")).showLink(invocation, machine);
    case "scan":
    case "setup-servo": {
      const { assemble } = await import("./commands/assemble.ts");
      process.exitCode = (await assemble(invocation, machine)) ? 0 : 1;
      return;
    }
    case "run": {
      const { run } = await import("./commands/run.ts");
      let port: number | null = invocation.options.port;
      while (port !== null) port = await run({ ...invocation.options, port }, machine);
      process.exit(0);
    }
  }
}

/** The signals of a person or of an init system, as a signal for what can be called off. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => controller.abort(new Interrupted(signal)));
  return controller.signal;
}

/** By convention of shells: 128 and the number of the signal. */
function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return 128 + constants.signals[error.signal];
  return error instanceof WorkbenchError && problemOf(error).code === "usage" ? 2 : 1;
}

function fail(error: unknown): never {
  const known = error instanceof WorkbenchError || error instanceof Interrupted;
  process.stderr.write(`robot-daemon: ${known ? error.message : (error as Error).stack}\n`);
  process.exit(exitCodeOf(error));
}

try {
  const tell = (text: string) => process.stderr.write(text);
  const invocation = parseInvocation(process.argv.slice(2), process.env, version, tell);
  // The commands for assembling a robot have nothing to clean up: signals end them as they end any program.
  const assembles = invocation.command === "scan" || invocation.command === "setup-servo";
  await perform(invocation, {
    env: process.env,
    packageDir,
    version,
    print: (text) => process.stdout.write(text),
    tell,
    isTerminal: process.stdout.isTTY === true,
    isInteractive: process.stdin.isTTY === true,
    interrupted: assembles ? new AbortController().signal : interruption(),
    residentBytes: () => process.memoryUsage.rss(),
    robotEnv: LEAN_MEMORY,
  });
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  fail(error);
}
