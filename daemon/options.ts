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
  /** Names that browsers may call a daemon on the network by, besides the machine's own. */
  allowedHosts: readonly string[];
  dataDir: string;
  /** The apps' Python environment. */
  venv: string;
  /** The hub that apps come from. */
  hubUrl: string;
  /** ALSA's device of speaker and microphone; null where browsers stand in for them. */
  audioDevice: string | null;
  /** WAV file that the microphone hears. */
  microphone: string | null;
  /** Seconds between SIGINT and SIGTERM for an app that does not end, above 0 and at most 120. */
  gracePeriod: number;
  logLevel: "debug" | "info" | "warn" | "error";
}

/** What the command line asks for. */
export type Invocation =
  | { command: "run"; options: DaemonOptions }
  | { command: "install"; source: string; dataDir: string; venv: string; hubUrl: string }
  | { command: "link"; dataDir: string; host: string; port: number }
  | { command: "scan"; serialport: string | null }
  | { command: "setup-servo"; serialport: string | null; joint: string; id: number | null; agreed: boolean };

type Environment = Record<string, string | undefined>;

/** The folder of all that the daemon keeps: `$XDG_DATA_HOME/robot-daemon`, or `~/.local/share/robot-daemon`. */
export function defaultDataDir(env: Environment): string {
  const base =
    env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(env.HOME ?? "/", ".local/share");
  return join(base, "robot-daemon");
}

/** The environment that all apps of a wireless robot share (contract, section 2.5). */
const WIRELESS_VENV = "/venvs/apps_venv";

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
    .option("--allow-host <name>", "another name that browsers call the robot by (repeatable)", collect, [])
    .option("--data-dir <folder>", "where everything is kept", defaultDataDir(env))
    .option("--venv <folder>", `the apps' Python environment (default: DIR/apps_venv, wireless: ${WIRELESS_VENV})`)
    .option("--hub-url <url>", "the hub that apps come from", hubAddress, PUBLIC_HUB)
    .option("--audio-device <name>", "ALSA device of the robot (default: default; with --sim the dashboard is heard)")
    .option("--microphone <file.wav>", "let the robot hear a recording, again and again")
    .option("--grace-period <seconds>", "time an app has to end after SIGINT", seconds("--grace-period", 120), 5)
    .addOption(
      new Option("--log-level <level>", "how much to log").choices(["debug", "info", "warn", "error"]).default("info"),
    )
    .action((given: Record<string, unknown>) => {
      invocation = {
        command: "run",
        options: {
          sim: given.sim === true,
          serialport: (given.serialport as string | undefined) ?? null,
          startupApp: (given.startupApp as string | undefined) ?? null,
          wirelessVersion: given.wirelessVersion === true,
          wakeUpOnStart: given.wakeUpOnStart !== false,
          host: hostOf(given),
          port: given.port as number,
          allowedHosts: given.allowHost as string[],
          dataDir: resolve(given.dataDir as string),
          venv: venvOf(given),
          hubUrl: given.hubUrl as string,
          audioDevice: (given.audioDevice as string | undefined) ?? (given.sim === true ? null : "default"),
          microphone: (given.microphone as string | undefined) ?? null,
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
      const given = program.opts<{ dataDir: string; hubUrl: string }>();
      const { dataDir, hubUrl } = given;
      invocation = { command: "install", source, dataDir: resolve(dataDir), venv: venvOf(given), hubUrl };
    });

  program
    .command("link")
    .description("show the link and the QR code that sign a browser in to a daemon on the network")
    .configureHelp({ showGlobalOptions: true })
    .action(() => {
      const given = program.opts<{ dataDir: string; port: number; host?: string }>();
      const { dataDir, port, host = "0.0.0.0" } = given;
      invocation = { command: "link", dataDir: resolve(dataDir), host, port };
    });

  const serialport = (): string | null => program.opts<{ serialport?: string }>().serialport ?? null;
  program
    .command("scan")
    .description("list the servos on the bus and what is not as it must be; exit code 1 when something is not")
    .configureHelp({ showGlobalOptions: true })
    .action(() => {
      invocation = { command: "scan", serialport: serialport() };
    });

  program
    .command("setup-servo")
    .description("set a servo up for a joint: id, bit rate, limits, offset; asks before it writes")
    .argument("<joint>", "for example stewart_3")
    .option("--id <number>", "the servo's present id; not needed when it is alone on the bus", integer("--id", 0, 252))
    .option("--yes", "write without asking", false)
    .configureHelp({ showGlobalOptions: true })
    .action((joint: string, { id = null, yes }: { id?: number | null; yes: boolean }) => {
      invocation = { command: "setup-servo", serialport: serialport(), joint, id, agreed: yes };
    });

  program.parse(args, { from: "user" });
  if (invocation === undefined) throw new Error("commander ran no action");
  return invocation;
}

const hostOf = ({ host, wirelessVersion }: Record<string, unknown>): string =>
  (host as string | undefined) ?? (wirelessVersion === true ? "0.0.0.0" : "127.0.0.1");

function venvOf({ venv, wirelessVersion, dataDir }: Record<string, unknown>): string {
  const usual = wirelessVersion === true ? WIRELESS_VENV : join(dataDir as string, "apps_venv");
  return resolve((venv as string | undefined) ?? usual);
}

const collect = (name: string, before: string[]): string[] => [...before, name];

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
