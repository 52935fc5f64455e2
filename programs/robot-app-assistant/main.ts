import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Commands, runProgram } from "../../assistant/program.ts";
import type { Terminal } from "../../assistant/terminal.ts";
import { versionText } from "../../common/versions.ts";

// Packages that only some commands need are imported where they are used, so that a check starts fast.
const packageFolder = join(fileURLToPath(import.meta.url), "../../../..");
const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };

const interactive = process.stdin.isTTY === true && process.stdout.isTTY === true;
const interrupt = new AbortController();
process.once("SIGINT", () => interrupt.abort(new Error("Interrupted.")));
// The reader of a pipe may exit early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

const terminal: Terminal = {
  stdin: process.stdin,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  setExitCode: (code) => {
    process.exitCode = code;
  },
  env: process.env,
  cwd: process.cwd(),
  packageFolder,
  signal: interrupt.signal,
  onTerminate: (callback) => {
    process.on("SIGTERM", callback);
    return () => process.off("SIGTERM", callback);
  },
  liveProgress: process.stderr.isTTY === true,
  colour: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  interactive,
  confirm: async (message) => {
    if (!interactive) return false;
    const { confirm, isCancel } = await import("@clack/prompts");
    const answer = await confirm({ message, signal: interrupt.signal });
    return !isCancel(answer) && answer;
  },
  ask: async ({ message, fallback, validate }) => {
    if (!interactive) return undefined;
    const { isCancel, text } = await import("@clack/prompts");
    const answer = await text({
      message,
      placeholder: fallback,
      defaultValue: fallback,
      validate: (given) => validate(given || fallback),
      signal: interrupt.signal,
    });
    return isCancel(answer) ? undefined : answer;
  },
  choose: async ({ message, options, initial }) => {
    if (!interactive) return undefined;
    const { isCancel, select } = await import("@clack/prompts");
    const answer = await select({
      message,
      options: options.map(({ value, hint }) => ({ value, label: value, hint })),
      ...(initial === undefined ? {} : { initialValue: initial }),
      signal: interrupt.signal,
    });
    return isCancel(answer) ? undefined : String(answer);
  },
  keys: (onKey) => {
    if (!interactive) return () => {};
    const read = (bytes: Buffer): void => {
      for (const key of String(bytes)) onKey(key);
    };
    // Without raw mode a key counts only after Enter, and Ctrl-C would also reach the processes that were started.
    process.stdin.setRawMode(true).on("data", read).resume();
    return () => {
      process.stdin.off("data", read).setRawMode(false).pause();
    };
  },
  now: () => new Date(),
};

/** The commands of other rooms. */
const MORE: Commands = {
  hub: async () => (await import("../../fixtures/hub/server/command.ts")).hubCommand,
  test: async () => {
    const { testCommand } = await import("../../conformance/app-tests/command.ts");
    return (commandTerminal) => testCommand(commandTerminal);
  },
  certify: async () => {
    const { certifyCommand } = await import("../../conformance/certify/command.ts");
    return (commandTerminal) => certifyCommand(commandTerminal, version);
  },
  worker: async () => {
    const { certificationWorkerCommand } = await import("../../conformance/catalogue/command/worker-command.ts");
    return (commandTerminal) => certificationWorkerCommand(commandTerminal, version);
  },
  report: async () => (await import("../../conformance/report/command.ts")).reportCommand,
  verify: async () => {
    const { verifyCommand } = await import("../../conformance/verdict/verify-command.ts");
    return (commandTerminal) => verifyCommand(commandTerminal, version);
  },
};

await runProgram(process.argv.slice(2), versionText(packageFolder, process.versions.node), terminal, MORE);
