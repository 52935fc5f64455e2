import { Command, InvalidArgumentError, Option } from "commander";
import { useHelpStyle } from "../robot/command-line/help-style.ts";
import { rejectExcessArguments } from "../robot/command-line/reject-excess-arguments.ts";
import { nonEmptyText, repeatable, volts, wholeNumber } from "../robot/command-line/values.ts";
import { JOINTS } from "../robot/description/joints.ts";
import { FAULT_KINDS, type Fault } from "./faults/fault.ts";
import { parseFault } from "./faults/parse-fault.ts";
import type { Speed } from "./link/pacer.ts";
import { DEFAULT_SUPPLY } from "./servos/bus/bus.ts";

/** Options of robot-sim. */
export interface SimOptions {
  /** TCP port, 0 for a free one; null for a device path. */
  readonly tcp: number | null;
  readonly wireDelay: boolean;
  /** Whether the robot stands free on the table, so that it can slide and tip over. */
  readonly freeBase: boolean;
  readonly seed: number;
  /** V of the power supply. */
  readonly supply: number;
  readonly speed: Speed;
  readonly faults: readonly Fault[];
  /** Joint whose servo has the settings that its maker ships: id 1, 57,600 bit/s; null for none. */
  readonly freshServo: string | null;
  /** File for the recording, or null. */
  readonly record: string | null;
  /** Port of the page that shows the robot, 0 for a free one; null for no page. */
  readonly viewerPort: number | null;
}

/** Outputs for the text of --help and --version, and for error messages. */
interface Outputs {
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

/**
 * Parses the command line.
 * @throws CommanderError after its text was written to `outputs`, for an invalid option and for --help and --version
 */
export function parseOptions(args: readonly string[], version: string, outputs: Outputs): SimOptions {
  const program = simProgram(version, outputs);
  program.parse(args, { from: "user" });
  rejectExcessArguments(program);
  const { pty, headless, fault: faults, viewerPort, ...given } = program.opts();
  if (pty && given.tcp !== undefined) program.error("Use --pty or --tcp, not both.", { exitCode: 2 });
  const absent = { tcp: null, freshServo: null, record: null };
  return { ...absent, ...given, faults, viewerPort: headless ? null : viewerPort } as SimOptions;
}

/** The command line of robot-sim. */
export function simProgram(version: string, outputs: Outputs): Command {
  const program = new Command("robot-sim")
    .description("A simulated robot for any servo driver. The first line of output is the address to open.")
    .version(version)
    .exitOverride()
    .configureOutput(outputs)
    .allowExcessArguments(true)
    .option("--pty", "serve a device path, to open like the robot's serial port (default)", false)
    .option(
      "--tcp <port>",
      "serve a TCP port of this machine instead; 0 for a free one",
      wholeNumber(0, 65_535, "--tcp 5555"),
    )
    .option("--wire-delay", "give bytes the transmission time of the physical bus", false)
    .option(
      "--free-base",
      "let pushes slide the robot over the table and tip it over; otherwise its foot is fixed",
      false,
    )
    .option("--speed <times>", "factor to real time, up to 100, or max for as fast as possible", speed, 1)
    .option(
      "--seed <number>",
      "equal seeds give the same robot and the same faults",
      wholeNumber(0, 2 ** 31 - 1, "--seed 7"),
      1,
    )
    .option(
      "--supply <volts>",
      "voltage of the power supply; the maker's has 6.8 to 7.6",
      volts("--supply 7.3"),
      DEFAULT_SUPPLY,
    )
    .option("--fault <what>", "inject a fault; may be given several times", repeatable(fault), [])
    .addOption(
      new Option(
        "--fresh-servo <joint>",
        "give a servo its manufacturer's settings, as after a replacement: id 1, 57,600 bit/s",
      ).choices(JOINTS.map(({ name }) => name)),
    )
    .option(
      "--record <file>",
      "record motion and bus traffic in a file, one JSON object per line",
      nonEmptyText("a file", "--record run.jsonl"),
    )
    .option(
      "--viewer-port <port>",
      "port of the page that shows the robot; 0 for a free one",
      wholeNumber(0, 65_535, "--viewer-port 8080"),
      0,
    )
    .option("--headless", "serve no page", false)
    .addHelpText("after", HELP);
  return useHelpStyle(program);
}

function speed(text: string): Speed {
  const value = Number(text);
  if (text === "max") return text;
  if (value > 0 && value <= 100) return value;
  throw new InvalidArgumentError("Use max, or a number above 0 and at most 100, for example --speed 2.");
}

function fault(text: string): Fault {
  try {
    return parseFault(text);
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message} For example --fault drop:rate=0.02.`);
  }
}

const kinds = Object.entries(FAULT_KINDS)
  .map(([kind, { about, servos, values }]) => {
    const keys = Object.entries(values).map(([key, [defaultValue]]) => `${key}=${defaultValue}`);
    const servo = { none: [], named: ["servo=..."], all: ["servo=all"] }[servos];
    return `  ${kind.padEnd(13)} ${about.padEnd(38)} ${[...servo, ...keys].join(",")}`;
  })
  .join("\n");

const HELP = `
Faults: KIND or KIND:key=value,key=value. servo: ids or joint names joined by +, or all; at: simulated second at which
the fault begins; for: its duration in seconds.
${kinds}

Examples:
  robot-sim                                          a device path; stop with Ctrl-C
  robot-daemon --serialport "$(robot-sim &)"         the daemon with a simulated robot on a real tty
  robot-sim --tcp 5555 --wire-delay                  bytes over TCP, with the timing of the bus
  robot-sim --fault corrupt:rate=0.01 --fault drop:rate=0.01 --fault unplug:at=30,for=2
  robot-sim --fault stuck:servo=stewart_3,at=5       a stuck joint, which stays off its goals
  robot-sim --fresh-servo stewart_3                  a new servo, for robot-daemon setup-servo stewart_3
  robot-sim --headless --speed max --record run.jsonl   as fast as possible, recorded, without a page

The page shows the robot and can push it and inject faults; its address is printed on standard error. Programs can do
the same: curl -H "content-type: application/json" -d '{"fault":"silent:servo=11,for=3"}' http://127.0.0.1:PORT/faults
`;
