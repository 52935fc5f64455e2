import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import { userFolder } from "../../common/machine/user-folders.ts";
import { useHelpStyle } from "../../robot/command-line/help-style.ts";
import { rejectExcessArguments } from "../../robot/command-line/reject-excess-arguments.ts";
import { nonEmptyText, repeatable, seconds, volts, wholeNumber } from "../../robot/command-line/values.ts";
import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";
import { addAppCommands } from "./app-commands.ts";
import { EXAMPLES } from "./examples.ts";
import { type DaemonOptions, DEFAULT_PORT, type Invocation } from "./invocation.ts";
import {
  allowedHost,
  appName,
  audioDevice,
  cameraSource,
  hubAddress,
  listenAddress,
  robotName,
  serialPort,
  venvFolder,
  wavFile,
} from "./option-values.ts";
import { usesOptions } from "./uses-options.ts";

type Environment = Record<string, string | undefined>;

/** The folder of everything that the daemon keeps: `$XDG_DATA_HOME/robot-daemon`, or `~/.local/share/robot-daemon`. */
export function defaultDataDir(env: Environment): string {
  return userFolder("data", "robot-daemon", env);
}

/** The environment that all apps of a wireless robot share (contract, section 2.5). */
const WIRELESS_VENV = "/venvs/apps_venv";

/** The data folder that these arguments name; the other arguments are not checked. */
export function dataDirOf(args: readonly string[], env: Environment): string {
  const at = args.findIndex((arg) => arg === "--data-dir" || arg.startsWith("--data-dir="));
  const value = at < 0 ? undefined : args[at]?.includes("=") ? args[at]?.slice("--data-dir=".length) : args[at + 1];
  return resolve(value ?? defaultDataDir(env));
}

/**
 * Parses the command line.
 * @param version the text of --version
 * @throws CommanderError for an invalid option, with a message for people to `write`; for --help and --version after their
 * text went to `writeOut`
 */
export function parseInvocation(
  args: readonly string[],
  env: Environment,
  version: string,
  write: (text: string) => void,
  writeOut = write,
): Invocation {
  let invocation: Invocation | undefined;
  const onInvocation = (parsed: Invocation): void => {
    invocation = parsed;
  };
  const program = daemonProgram(env, version, write, onInvocation, writeOut);
  program.parse(args, { from: "user" });
  if (invocation === undefined) throw new Error("commander ran no action");
  return invocation;
}

/** The command line of robot-daemon. Its actions pass what the user asks for to `onInvocation`. */
export function daemonProgram(
  env: Environment,
  version: string,
  write: (text: string) => void,
  onInvocation: (invocation: Invocation) => void,
  writeOut = write,
): Command {
  const program = new Command("robot-daemon")
    .description("Hosts Python apps on the robot, one at a time: dashboard, REST interface and SDK socket on one port.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut, writeErr: write })
    .allowExcessArguments(true)
    .helpCommand(true)
    .option("--sim", "simulate the robot; no hardware needed")
    .option(
      "--startup-app <app_name>",
      "app to start after wake-up and on an antenna touch of the sleeping robot",
      appName,
    )
    .option(
      "--workshop <folder>",
      "let the dashboard edit the app in this folder, for who has the link that is shown then",
      nonEmptyText("the folder of an app", "--workshop my_app"),
    )
    .option("--no-wake-up-on-start", "leave the robot asleep at the start")
    .option("--serialport <path>", "serial port of the robot, or tcp://host:port of a robot-sim", serialPort)
    .option(
      "--port <number>",
      "port to listen on; 0 takes a free one",
      wholeNumber(0, 65_535, "--port 8000"),
      DEFAULT_PORT,
    )
    .option(
      "--data-dir <folder>",
      "folder for everything that the daemon keeps",
      nonEmptyText("a folder", "--data-dir ~/robot"),
      defaultDataDir(env),
    )
    .optionsGroup("More options:")
    .option("--robot-name <name>", "name by which programs know the robot", robotName, "robot")
    .addOption(
      new Option(
        "--report-simulation <answer>",
        "whether apps are told that the robot is simulated (default: as it is)",
      ).choices(["yes", "no"]),
    )
    .option("--supply <volts>", "with --sim: voltage of the power supply (default: 6)", volts("--supply 7.3"))
    .option("--wireless-version", "behave as on the wireless robot: listen on the network with a token")
    .option("--host <address>", "address to listen on (default: 127.0.0.1, wireless: 0.0.0.0)", listenAddress)
    .option("--allow-host <name>", "another name that browsers call the robot by (repeatable)", repeatable(allowedHost))
    .option(
      "--venv <folder>",
      `the apps' Python environment (default: apps_venv in the data folder, wireless: ${WIRELESS_VENV})`,
      venvFolder,
    )
    .option("--hub-url <url>", "the hub that apps come from", hubAddress, PUBLIC_HUB)
    .option(
      "--audio-device <name>",
      "ALSA device of speaker and microphone (default: default; with --sim the dashboard has both)",
      audioDevice,
    )
    .option("--microphone <file.wav>", "play a recording to the robot's microphone in a loop", wavFile)
    .option(
      "--camera <source>",
      "what the camera shows: a JPEG or PNG file, a folder of them, none, or sim (default with --sim)",
      cameraSource,
    )
    .option("--grace-period <seconds>", "time an app has to end after SIGINT", seconds(120, "--grace-period 5"), 5)
    .option(
      "--robot-timeout <seconds>",
      "time after which a robot process that does not respond is restarted",
      seconds(120, "--robot-timeout 3"),
      3,
    )
    .addOption(
      new Option(
        "--warm-start <answer>",
        "whether a Python interpreter waits for the next start of the app that ran last, which then starts faster",
      )
        .choices(["yes", "no"])
        .default("yes"),
    )
    .addOption(
      new Option("--log-level <level>", "how much to log").choices(["debug", "info", "warn", "error"]).default("info"),
    )
    .action((given: Record<string, unknown>) => {
      rejectExcessArguments(program);
      if (given.supply !== undefined && given.sim !== true)
        program.error("--supply is the supply of the simulated robot: use it with --sim.", { exitCode: 2 });
      onInvocation({
        command: "run",
        options: {
          sim: given.sim === true,
          supply: (given.supply as number | undefined) ?? null,
          serialport: (given.serialport as string | undefined) ?? null,
          startupApp: (given.startupApp as string | undefined) ?? null,
          robotName: given.robotName as string,
          reportSimulation: given.reportSimulation === undefined ? null : given.reportSimulation === "yes",
          wirelessVersion: given.wirelessVersion === true,
          workshop: given.workshop === undefined ? null : resolve(given.workshop as string),
          wakeUpOnStart: given.wakeUpOnStart !== false,
          host: hostOf(given),
          port: given.port as number,
          allowedHosts: (given.allowHost as string[] | undefined) ?? [],
          dataDir: resolve(given.dataDir as string),
          venv: venvOf(given),
          hubUrl: given.hubUrl as string,
          audioDevice: (given.audioDevice as string | undefined) ?? (given.sim === true ? null : "default"),
          camera: (given.camera as string | undefined) ?? null,
          microphone: (given.microphone as string | undefined) ?? null,
          gracePeriod: given.gracePeriod as number,
          robotTimeout: given.robotTimeout as number,
          warmStart: given.warmStart === "yes",
          logLevel: given.logLevel as DaemonOptions["logLevel"],
        },
      });
    });

  program.addHelpText("after", EXAMPLES.run);

  program.commandsGroup("Commands for apps:");
  usesOptions(program.command("install"), program, ["--data-dir", "--venv", "--wireless-version", "--hub-url"])
    .description("Install an app into the apps' Python environment.")
    .argument("[source]", "folder of an app, or the URL of its space", ".")
    .option("--isolated", "give the app an environment of its own, for what does not fit other apps")
    .option("--json", "print the installed app as JSON")
    .addHelpText("after", EXAMPLES.install)
    .action((source: string, { isolated = false, json = false }: { isolated?: boolean; json?: boolean }) => {
      const given = program.opts<{ dataDir: string; hubUrl: string }>();
      const { dataDir, hubUrl } = given;
      onInvocation({
        command: "install",
        source,
        isolated,
        json,
        dataDir: resolve(dataDir),
        venv: venvOf(given),
        hubUrl,
      });
    });

  addAppCommands(program, onInvocation);

  program.commandsGroup("Commands for the robot and the programs:");
  usesOptions(program.command("link"), program, ["--data-dir", "--host", "--port"])
    .description("Show the link and the QR code that sign a browser in to a daemon on the network.")
    .option("--json", "print the address and the token as JSON")
    .addHelpText("after", EXAMPLES.link)
    .action(({ json = false }: { json?: boolean }) => {
      const given = program.opts<{ dataDir: string; port: number; host?: string }>();
      const { dataDir, host = "0.0.0.0" } = given;
      const port = program.getOptionValueSource("port") === "default" ? null : given.port;
      onInvocation({ command: "link", dataDir: resolve(dataDir), host, port, json });
    });

  usesOptions(program.command("uninstall"), program, ["--data-dir", "--venv", "--wireless-version"])
    .description("Show how to remove the programs and what they leave; with --purge, remove that.")
    .option("--purge", "remove all apps, their environment, settings and logs; asks first")
    .option("--yes", "with --purge: do not ask")
    .option("--json", "print the folders as JSON")
    .addHelpText("after", EXAMPLES.uninstall)
    .action(({ purge = false, yes = false, json = false }: { purge?: boolean; yes?: boolean; json?: boolean }) => {
      const given = program.opts<{ dataDir: string }>();
      onInvocation({
        command: "uninstall",
        dataDir: resolve(given.dataDir),
        venv: venvOf(given),
        purge,
        agreed: yes,
        json,
      });
    });

  const serialport = (): string | null => program.opts<{ serialport?: string }>().serialport ?? null;
  usesOptions(program.command("scan"), program, ["--serialport"])
    .description("List the servos on the bus and what is wrong with them; exit code 1 when something is.")
    .option("--json", "print the servos as JSON")
    .addHelpText("after", EXAMPLES.scan)
    .action(({ json = false }: { json?: boolean }) => {
      onInvocation({ command: "scan", serialport: serialport(), json });
    });

  usesOptions(program.command("setup-servo"), program, ["--serialport"])
    .description("Set a servo up for a joint: id, bit rate, limits, offset; asks before it writes.")
    .argument("<joint>", "for example stewart_3")
    .option(
      "--id <number>",
      "the servo's present id; not needed when it is alone on the bus",
      wholeNumber(0, 252, "--id 13"),
    )
    .option("--yes", "write without asking")
    .option("--json", "print what was done as JSON; needs --yes to write")
    .addHelpText("after", EXAMPLES["setup-servo"])
    .action((joint: string, given: { id?: number | null; yes?: boolean; json?: boolean }) => {
      const { id = null, yes: agreed = false, json = false } = given;
      onInvocation({ command: "setup-servo", serialport: serialport(), joint, id, agreed, json });
    });

  // The tests of robot_sdk.testing start it.
  program
    .command("test-robot", { hidden: true })
    .description("Compute a robot in virtual time: requests on standard input, one JSON object per line.")
    .addHelpText("after", EXAMPLES["test-robot"])
    .action(() => onInvocation({ command: "test-robot" }));

  for (const command of program.commands) command.allowExcessArguments(false);
  return useHelpStyle(program);
}

const hostOf = ({ host, wirelessVersion }: Record<string, unknown>): string =>
  (host as string | undefined) ?? (wirelessVersion === true ? "0.0.0.0" : "127.0.0.1");

function venvOf({ venv, wirelessVersion, dataDir }: Record<string, unknown>): string {
  const defaultVenv = wirelessVersion === true ? WIRELESS_VENV : join(dataDir as string, "apps_venv");
  return resolve((venv as string | undefined) ?? defaultVenv);
}
