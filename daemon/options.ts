import { isAbsolute, join, resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { PUBLIC_HUB } from "./apps/hub/space-address.ts";

/** What the command line and the environment decide about a daemon. */
export interface DaemonOptions {
  sim: boolean;
  /** Serial port or `tcp://host:port` of the servo bus; null finds the robot by its USB id. */
  serialport: string | null;
  startupApp: string | null;
  wirelessVersion: boolean;
  wakeUpOnStart: boolean;
  host: string;
  port: number;
  dataDir: string;
  /** The hub that apps come from. */
  hubUrl: string;
  /** Seconds between SIGINT and SIGTERM for an app that does not end, above 0 and at most 120. */
  gracePeriod: number;
  logLevel: "debug" | "info" | "warn" | "error";
}

/** What the command line asks for. */
export type Invocation =
  | { command: "run"; options: DaemonOptions }
  | { command: "install"; source: string; dataDir: string; hubUrl: string };

type Environment = Record<string, string | undefined>;

/** The folder of all that the daemon keeps: `$XDG_DATA_HOME/robot-daemon`, or `~/.local/share/robot-daemon`. */
export function defaultDataDir(env: Environment): string {
  const base =
    env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(env.HOME ?? "/", ".local/share");
  return join(base, "robot-daemon");
}

/** The data folder that these arguments name, without judging the other arguments. */
export function dataDirOf(args: readonly string[], env: Environment): string {
  const at = args.findIndex((arg) => arg === "--data-dir" || arg.startsWith("--data-dir="));
  const value = at < 0 ? undefined : args[at]?.includes("=") ? args[at]?.slice("--data-dir=".length) : args[at + 1];
  return resolve(value ?? defaultDataDir(env));
}

/**
 * Reads the command line. Throws commander's own error (already worded for people) on a wrong option, and for --help
 * and --version after handing their text to `write`.
 */
export function parseInvocation(
  args: readonly string[],
  env: Environment,
  version: string,
  write: (text: string) => void,
): Invocation {
  let invocation: Invocation | undefined;
  const program = new Command("robot-daemon")
    .description("Hosts Python apps on the robot, one at a time: dashboard, REST interface and SDK socket on one port.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write })
    .showHelpAfterError("(robot-daemon --help lists the options)")
    .allowExcessArguments(false)
    .option("--sim", "simulate the robot; no hardware needed", false)
    .option("--serialport <path>", "serial port of the robot, or tcp://host:port of a robot-sim")
    .option("--startup-app <app_name>", "app to start after wake-up and on an antenna touch of the sleeping robot")
    .option("--wireless-version", "behave as on the wireless robot: listen on the network with a token", false)
    .option("--no-wake-up-on-start", "leave the robot asleep at the start")
    .option("--host <address>", "address to listen on (default: 127.0.0.1, wireless: 0.0.0.0)")
    .option("--port <number>", "port to listen on; 0 takes a free one", integer("--port", 0, 65_535), 8000)
    .option("--data-dir <folder>", "where everything is kept", defaultDataDir(env))
    .option("--hub-url <url>", "the hub that apps come from", hubAddress, PUBLIC_HUB)
    .option("--grace-period <seconds>", "time an app has to end after SIGINT", seconds("--grace-period", 120), 5)
    .addOption(
      new Option("--log-level <level>", "how much to log").choices(["debug", "info", "warn", "error"]).default("info"),
    )
    .action((given: Record<string, unknown>) => {
      const wirelessVersion = given.wirelessVersion === true;
      invocation = {
        command: "run",
        options: {
          sim: given.sim === true,
          serialport: (given.serialport as string | undefined) ?? null,
          startupApp: (given.startupApp as string | undefined) ?? null,
          wirelessVersion,
          wakeUpOnStart: given.wakeUpOnStart !== false,
          host: (given.host as string | undefined) ?? (wirelessVersion ? "0.0.0.0" : "127.0.0.1"),
          port: given.port as number,
          dataDir: resolve(given.dataDir as string),
          hubUrl: given.hubUrl as string,
          gracePeriod: given.gracePeriod as number,
          logLevel: given.logLevel as DaemonOptions["logLevel"],
        },
      };
    });

  program.addHelpText("after", EXAMPLES);

  program
    .command("install")
    .description("install an app into the apps' Python environment")
    .argument("<source>", "folder of an app, or the URL of its space")
    .configureHelp({ showGlobalOptions: true })
    .action((source: string) => {
      const { dataDir, hubUrl } = program.opts<{ dataDir: string; hubUrl: string }>();
      invocation = { command: "install", source, dataDir: resolve(dataDir), hubUrl };
    });

  program.parse(args, { from: "user" });
  if (invocation === undefined) throw new Error("commander ran no action");
  return invocation;
}

function hubAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "") {
    return text.replace(/\/+$/, "");
  }
  throw new InvalidArgumentError(`--hub-url takes an address such as ${PUBLIC_HUB}; a token goes into HF_TOKEN.`);
}

function integer(name: string, low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < low || value > high)
      throw new InvalidArgumentError(`${name} takes a whole number from ${low} to ${high}.`);
    return value;
  };
}

function seconds(name: string, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!(value > 0 && value <= high)) throw new InvalidArgumentError(`${name} takes seconds above 0 up to ${high}.`);
    return value;
  };
}

const EXAMPLES = `
Examples:
  robot-daemon --sim                            the simulated robot, dashboard at http://127.0.0.1:8000/
  robot-daemon --sim --startup-app hello_robot  and start an app once the robot is awake
  robot-daemon install ./my_app                 install an app from its folder
  robot-daemon install ${PUBLIC_HUB}/spaces/USER/APP_NAME
  robot-daemon                                  the robot on the USB port
`;
