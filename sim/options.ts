import { Command, InvalidArgumentError } from "commander";
import { refuseStrays } from "../robot/command-line/strays.ts";
import { several, wholeNumber, words } from "../robot/command-line/values.ts";
import { FAULT_KINDS, type Fault } from "./faults/fault.ts";
import { parseFault } from "./faults/parse.ts";
import type { Speed } from "./link/messages.ts";

/** What the command line of robot-sim decides. */
export interface SimOptions {
  /** TCP port to serve, 0 for a free one; null for a device path. */
  readonly tcp: number | null;
  readonly wireDelay: boolean;
  readonly seed: number;
  readonly speed: Speed;
  readonly faults: readonly Fault[];
  /** File for the recording, or null. */
  readonly record: string | null;
  /** Port of the page that shows the robot, 0 for a free one; null for no page. */
  readonly viewerPort: number | null;
}

/** Where the text of --help and --version goes, and that of complaints. */
export interface Texts {
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

/**
 * Reads the command line. Throws commander's own error after its text went to `texts`, for a wrong option as for --help
 * and --version.
 */
export function parseOptions(args: readonly string[], version: string, texts: Texts): SimOptions {
  const program = simProgram(version, texts);
  program.parse(args, { from: "user" });
  refuseStrays(program);
  const given = program.opts();
  if (given.pty && given.tcp !== undefined) program.error("Use --pty or --tcp, not both.", { exitCode: 2 });
  return {
    tcp: given.tcp ?? null,
    wireDelay: given.wireDelay,
    seed: given.seed,
    speed: given.speed,
    faults: given.fault,
    record: given.record ?? null,
    viewerPort: given.headless ? null : given.viewerPort,
  };
}

/** The command line of robot-sim. */
export function simProgram(version: string, texts: Texts): Command {
  return new Command("robot-sim")
    .description("A simulated robot for anybody's servo driver: prints what to open on the first line, alone.")
    .version(version)
    .exitOverride()
    .configureOutput(texts)
    .allowExcessArguments(true)
    .showHelpAfterError("(robot-sim --help lists the options)")
    .option("--pty", "serve a device path, to open like the robot's serial port (what it does anyway)", false)
    .option(
      "--tcp <port>",
      "serve a TCP port of this machine instead; 0 takes a free one",
      wholeNumber(0, 65_535, "--tcp 5555"),
    )
    .option("--wire-delay", "let bytes take the time that they take on the real bus", false)
    .option("--speed <times>", "times real time, up to 100, or max for as fast as it can", speed, 1)
    .option(
      "--seed <number>",
      "the same seed gives the same robot and the same faults",
      wholeNumber(0, 2 ** 31 - 1, "--seed 7"),
      1,
    )
    .option("--fault <what>", "let something go wrong; may be given several times", several(fault), [])
    .option(
      "--record <file>",
      "write motion and bus traffic into a file, one JSON object a line",
      words("a file", "--record run.jsonl"),
    )
    .option(
      "--viewer-port <port>",
      "port of the page that shows the robot; 0 takes a free one",
      wholeNumber(0, 65_535, "--viewer-port 8080"),
      0,
    )
    .option("--headless", "serve no page", false)
    .addHelpText("after", HELP);
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
    const keys = Object.entries(values).map(([key, [assumed]]) => `${key}=${assumed}`);
    const servo = { none: [], named: ["servo=..."], all: ["servo=all"] }[servos];
    return `  ${kind.padEnd(13)} ${about.padEnd(38)} ${[...servo, ...keys].join(",")}`;
  })
  .join("\n");

const HELP = `
Faults: KIND or KIND:key=value,key=value. servo takes ids or joint names joined by +, or all; at is the simulated
second at which the fault begins, for is how many seconds it lasts.
${kinds}

Examples:
  robot-sim                                          a device path; end it with Ctrl-C
  robot-daemon --serialport "$(robot-sim &)"         the daemon on a simulated robot, over a real tty
  robot-sim --tcp 5555 --wire-delay                  bytes over TCP, with the timing of the bus
  robot-sim --fault corrupt:rate=0.01 --fault drop:rate=0.01 --fault unplug:at=30,for=2
  robot-sim --fault stuck:servo=stewart_3,at=5       a jam, which ends in an overload error
  robot-sim --headless --speed max --record run.jsonl   as fast as it can, written down, without a page

The page shows the robot and takes pushes and faults while it runs; its address is printed, too. Programs can do the
same: curl -H "content-type: application/json" -d '{"fault":"silent:servo=11,for=3"}' http://127.0.0.1:PORT/faults
`;
