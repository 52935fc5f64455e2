import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { webAddress, wholeNumber } from "../../robot/command-line/values.ts";
import { EXAMPLES } from "./examples.ts";
import { appName } from "./option-values.ts";
import { usesOptions } from "./uses-options.ts";

/** What a command asks of a daemon that runs. */
type AppAction =
  | { action: "list" | "status" }
  /** `app` is null for the one that runs. */
  | { action: "stop" | "restart"; app: string | null }
  /** `app` is null for the one in the working directory. */
  | { action: "start"; app: string | null; replace: boolean }
  | { action: "remove" | "reset-data"; app: string | null }
  /** `app` is null for the one that runs or ran last. */
  | { action: "logs"; app: string | null; lines: number; follow: boolean };

/** A command for a daemon that runs: on a data folder, or at an address. */
export interface AppInvocation {
  command: "app";
  action: AppAction;
  dataDir: string;
  /** Address of a daemon; null for the one that uses the data folder. */
  url: string | null;
  /** Prints the daemon's answer as JSON. */
  json: boolean;
}

/** Lines that `logs` prints unless told otherwise, and the most. */
const LOG_LINES = { default: 50, max: 5000 };

const OF_LIST = "an app of 'robot-daemon list'; unless given, the one in the working directory";
const RUNNING = "the app; unless given, the one that runs";

/** Adds the commands that speak to a running daemon. */
export function addAppCommands(program: Command, onInvocation: (invocation: AppInvocation) => void): void {
  const add = (usage: AppAction["action"], description: string): Command =>
    usesOptions(program.command(usage).description(description), program, ["--data-dir"])
      .addHelpText("after", EXAMPLES[usage])
      .addOption(
        new Option(
          "--url <address>",
          "the daemon at this address instead of the one that uses the data folder",
        ).argParser(webAddress("--url http://127.0.0.1:8000")),
      )
      .option("--json", "print the answer as JSON");
  const ask = (command: Command, action: AppAction): void => {
    const { url = null, json = false } = command.opts<{ url?: string; json?: boolean }>();
    const { dataDir } = program.opts<{ dataDir: string }>();
    onInvocation({ command: "app", action, dataDir: resolve(dataDir), url, json });
  };

  add("list", "List the installed apps.").action((_options, command: Command) => ask(command, { action: "list" }));
  add("status", "Show the running daemon, its robot and the app that runs.").action((_options, command: Command) =>
    ask(command, { action: "status" }),
  );
  add("start", "Start an app, and wake the robot up.")
    .argument("[app_name]", OF_LIST, appName)
    .option("--replace", "stop another app that runs")
    .action((app: string | undefined, { replace = false }: { replace?: boolean }, command: Command) =>
      ask(command, { action: "start", app: app ?? null, replace }),
    );
  add("stop", "Stop the app that runs.")
    .argument("[app_name]", RUNNING, appName)
    .action((app: string | undefined, _options, command: Command) =>
      ask(command, { action: "stop", app: app ?? null }),
    );
  add("restart", "Stop the app that runs and start it again.")
    .argument("[app_name]", RUNNING, appName)
    .action((app: string | undefined, _options, command: Command) =>
      ask(command, { action: "restart", app: app ?? null }),
    );
  add("logs", "Show the output of an app.")
    .argument("[app_name]", "the app; unless given, the one that runs or ran last", appName)
    .option("-f, --follow", "go on with further lines as they come, until Ctrl-C")
    .option(
      "-n, --lines <number>",
      "how many of the last lines",
      wholeNumber(1, LOG_LINES.max, "--lines 200"),
      LOG_LINES.default,
    )
    .action(
      (app: string | undefined, { follow = false, lines }: { follow?: boolean; lines: number }, command: Command) =>
        ask(command, { action: "logs", app: app ?? null, lines, follow }),
    );
  add("reset-data", "Delete what an app wrote into its working folder, settings included; it stays installed.")
    .argument("[app_name]", OF_LIST, appName)
    .action((app: string | undefined, _options, command: Command) =>
      ask(command, { action: "reset-data", app: app ?? null }),
    );
  add("remove", "Remove an app.")
    .argument("[app_name]", OF_LIST, appName)
    .action((app: string | undefined, _options, command: Command) =>
      ask(command, { action: "remove", app: app ?? null }),
    );
}
