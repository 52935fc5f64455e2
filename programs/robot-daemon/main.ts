import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommanderError } from "commander";
import { ownCommand } from "../../common/machine/own-command.ts";
import { limitYoungGeneration } from "../../common/machine/young-generation.ts";
import { systemClock } from "../../common/time/clock.ts";
import { ManualClock } from "../../common/time/manual-clock.ts";
import { versionText } from "../../common/versions.ts";
import type { Invocation } from "../../daemon/command-line/invocation.ts";
import { defaultDataDir, parseInvocation } from "../../daemon/command-line/options.ts";
import { Interrupted } from "../../daemon/commands/command-context.ts";
import type { RunContext } from "../../daemon/commands/run.ts";
import { withSystemCode } from "../../daemon/files/system-error.ts";
import { problemOf, WorkbenchError } from "../../robot/wire/errors.ts";
import { WORKSHOP_SECRET_VARIABLE } from "../../robot/wire/workshop/access-secret.ts";
import { LEAN_MEMORY } from "../../sim/link/lean-memory.ts";

limitYoungGeneration();

/** Folder of the package: this file is compiled to dist/programs/robot-daemon/main.js. */
const packageDir = fileURLToPath(new URL("../../..", import.meta.url));
const { version } = JSON.parse(readFileSync(resolve(packageDir, "package.json"), "utf8")) as { version: string };

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a command, which loads only the modules that it needs. The daemon runs until it is stopped; after a restart the next one
 * runs in this process, at the same port.
 */
async function runCommand(invocation: Invocation, context: RunContext): Promise<void> {
  switch (invocation.command) {
    case "app":
      return (await import("../../daemon/commands/app-commands.ts")).runAppCommand(invocation, context);
    case "install":
      return (await import("../../daemon/commands/install.ts")).install(invocation, context);
    case "link":
      return (await import("../../daemon/commands/link.ts")).showLink(invocation, context);
    case "uninstall": {
      const { uninstallDaemon } = await import("../../daemon/commands/uninstall.ts");
      process.exitCode = (await uninstallDaemon(invocation, context)) ? 0 : 1;
      return;
    }
    case "scan":
    case "setup-servo": {
      const { runServoCommand } = await import("../../daemon/commands/servo-commands.ts");
      process.exitCode = (await runServoCommand(invocation, context)) ? 0 : 1;
      return;
    }
    case "test-robot": {
      const { serveTestRobot } = await import("../../daemon/test-robot/serve-test-robot.ts");
      const { createLocalLink } = await import("../../sim/link/local-link.ts");
      const { createRenderer } = await import("../../sim/camera/renderer.ts");
      const { Film, writeMotionPage } = await import("../../sim/film/film.ts");
      const { PluggableLink } = await import("../../sim/link/pluggable-link.ts");
      const createParts = async () => {
        const clock = new ManualClock();
        const local = await createLocalLink({ seed: 1, now: clock.now, speed: "on-demand" });
        const simulation = new PluggableLink(local, clock);
        return { clock, simulation, film: new Film(simulation), writeMotionPage, createRenderer, version };
      };
      return serveTestRobot({ createParts, input: process.stdin, print: context.print });
    }
    case "run": {
      const { claimDataFolder } = await import("../../daemon/commands/claim-data-folder.ts");
      let port: number | null = invocation.options.port;
      while (port !== null) {
        const options = { ...invocation.options, port };
        const dataFolder = await claimDataFolder(options, context);
        const { run } = await import("../../daemon/commands/run.ts");
        port = await run(options, context, dataFolder);
      }
      process.exit(0);
    }
  }
}

/**
 * Milliseconds within which two signals count as one Ctrl-C: the terminal sends SIGINT to this process and to npm, and npm passes
 * it on.
 */
const SAME_KEY_PRESS_MS = 300;

/**
 * Returns a signal that aborts at the first SIGINT, SIGTERM or SIGHUP. The second one ends this process immediately; the robot
 * process then stops the app and returns the robot to its default pose.
 */
function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  const onSignal = (signal: (typeof SIGNALS)[number]): void => {
    if (!controller.signal.aborted) {
      firstAt = performance.now();
      controller.abort(new Interrupted(signal));
    } else if (performance.now() - firstAt > SAME_KEY_PRESS_MS) {
      process.stderr.write("robot-daemon: ended at the second signal, before everything was cleaned up.\n");
      process.exit(exitCodeOf(new Interrupted(signal)));
    }
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return controller.signal;
}

/** 2 for a wrong command line, 1 for other errors; after a signal, as shells do, 128 plus its number. */
function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return 128 + constants.signals[error.signal];
  return error instanceof WorkbenchError && problemOf(error).code === "usage" ? 2 : 1;
}

/** Writes an error for people, or as JSON with `--json`, and ends the program. */
function fail(thrown: unknown): never {
  const error = withSystemCode(thrown);
  if (process.argv.includes("--json") && error instanceof WorkbenchError) {
    const { code, message: detail } = error;
    process.stdout.write(`${JSON.stringify({ status: "error", error: { code, detail } })}\n`);
    process.exit(exitCodeOf(error));
  }
  const known = error instanceof WorkbenchError || error instanceof Interrupted;
  process.stderr.write(`robot-daemon: ${known ? error.message : (error as Error).stack}\n`);
  process.exit(exitCodeOf(error));
}

/** Taken from the environment, which apps inherit: `dev` gives it to the daemon that it starts. */
const workshopSecret = process.env[WORKSHOP_SECRET_VARIABLE] || randomBytes(24).toString("base64url");
delete process.env[WORKSHOP_SECRET_VARIABLE];

try {
  const report = (text: string) => process.stderr.write(text);
  const print = (text: string) => process.stdout.write(text);
  const versions = versionText(packageDir, process.versions.node);
  const invocation = parseInvocation(process.argv.slice(2), process.env, versions, report, print);
  // The servo commands have nothing to clean up, so signals end them immediately.
  const isServoCommand = invocation.command === "scan" || invocation.command === "setup-servo";
  await runCommand(invocation, {
    env: process.env,
    packageDir,
    version,
    commandFor: (program) =>
      ownCommand(program, { packageFolder: resolve(packageDir), cwd: process.cwd(), env: process.env }),
    print,
    report,
    isTerminal: process.stdout.isTTY === true,
    showsProgress: process.stderr.isTTY === true,
    confirm: async (message) => {
      const { confirm } = await import("@clack/prompts");
      return (await confirm({ message, initialValue: false })) === true;
    },
    isInteractive: process.stdin.isTTY === true,
    interrupted: isServoCommand ? new AbortController().signal : abortOnSignals(),
    // The rules are in `assistant/check`, which is loaded when the code of an app is read.
    reader: {
      appClassMissing: async (...args) =>
        (await import("../../assistant/check/app-class-missing.ts")).appClassMissing(...args),
      whyNeverRan: async (app) => (await import("../../assistant/check/app-class-missing.ts")).whyNeverRan(app),
      appUses: async (app) => (await import("../../assistant/check/app-uses.ts")).appUses(app),
    },
    residentBytes: () => process.memoryUsage.rss(),
    robotEnv: LEAN_MEMORY,
    openWorkshop: async (options) => (await import("../../assistant/workshop/open-workshop.ts")).openWorkshop(options),
    certify: async (...args) =>
      (await import("../../conformance/workshop/certify-copy.ts")).certifyCopy({
        version,
        // That of `robot-app-assistant certify`.
        cache: resolve(defaultDataDir(process.env), "certification"),
        env: process.env,
        clock: systemClock,
      })(...args),
    workshopSecret,
  });
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  fail(error);
}
