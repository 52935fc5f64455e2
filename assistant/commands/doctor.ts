import path from "node:path";
import { Command } from "commander";
import { userFolder } from "../../common/machine/user-folders.ts";
import { systemClock } from "../../common/time/clock.ts";
import { nonEmptyText, webAddress } from "../../robot/command-line/values.ts";
import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";
import { DAEMON_URL } from "../dev/daemon/find-daemon.ts";
import { examine, formatDoctor } from "../doctor/doctor.ts";
import { EXIT, type Terminal } from "../terminal.ts";
import { defaultServerUrl } from "./model/options.ts";

const HELP = `
Each line is something that the programs need, and what to do where it is missing. --json is for bug reports: it has no
token, no key and no name of a home folder. Exit codes: 0 ready, 1 something keeps apps from running, 2 an invalid command
line.

Examples:
  robot-app-assistant doctor
  robot-app-assistant doctor --json > doctor.json`;

interface DoctorFlags {
  url: string;
  hubUrl: string;
  dataDir?: string;
  json?: true;
}

/** `doctor`: looks whether this machine has what the programs need. */
export function doctorCommand(terminal: Terminal): Command {
  return new Command("doctor")
    .description("Find out what is missing on this machine, and what to do about it.")
    .option("--url <address>", "the daemon to look for", webAddress(`--url ${DAEMON_URL}`), DAEMON_URL)
    .option("--hub-url <url>", "the hub to look for", webAddress(`--hub-url ${PUBLIC_HUB}`), PUBLIC_HUB)
    .option("--data-dir <folder>", "data folder of the daemon", nonEmptyText("a folder", "--data-dir data"))
    .option("--json", "write one JSON object, for bug reports")
    .addHelpText("after", HELP)
    .action(async ({ url, hubUrl, dataDir, json }: DoctorFlags) => {
      const { env, cwd, packageFolder, signal } = terminal;
      const lines = await examine({
        env,
        packageFolder,
        dataDir: dataDir === undefined ? userFolder("data", "robot-daemon", env) : path.resolve(cwd, dataDir),
        daemonUrl: url.replace(/\/+$/, ""),
        hubUrl: hubUrl.replace(/\/+$/, ""),
        modelUrl: await defaultServerUrl(terminal),
        node: process.versions.node,
        clock: systemClock,
        signal,
      });
      terminal.out(json ? `${JSON.stringify({ checks: lines })}\n` : formatDoctor(lines, terminal.colour));
      terminal.setExitCode(lines.some(({ status }) => status === "fail") ? EXIT.failed : EXIT.ok);
    });
}
