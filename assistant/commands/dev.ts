import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { systemClock } from "../../common/time/clock.ts";
import { nonEmptyText, webAddress, wholeNumber } from "../../robot/command-line/values.ts";
import { DaemonClient } from "../../robot/rest/daemon-client.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { WORKSHOP_SECRET_VARIABLE, workshopLink } from "../../robot/wire/workshop/access-secret.ts";
import { describeApp } from "../check/app/app.ts";
import { readApp } from "../check/check-app.ts";
import { formatReport } from "../check/format-report.ts";
import { readSettings } from "../check/settings.ts";
import { chooseDaemon, editHint } from "../dev/daemon/choose-daemon.ts";
import { DAEMON_PORT, DAEMON_URL } from "../dev/daemon/find-daemon.ts";
import { RemoteWorkshop } from "../dev/daemon/remote-workshop.ts";
import { runDevSession } from "../dev/dev-session.ts";
import { quickCheck } from "../dev/quick-check.ts";
import { EXIT, type Terminal } from "../terminal.ts";

const HELP = `
The app runs from its folder (an editable install), with a simulated robot, and restarts when a file is saved. Log, checks
and keys are in the terminal; Ctrl-C or q ends everything. The daemon is one that runs on this machine with a simulated
robot, else a new one that ends with this command. docs/developing.md explains debuggers. Exit codes: 0 ended by a person,
1 the app cannot be installed, 2 an invalid command line or setting, 3 no daemon.

Examples:
  robot-app-assistant dev
  robot-app-assistant dev my_app --open
  robot-app-assistant dev my_app --port 8001
  robot-app-assistant dev my_app --url http://127.0.0.1:8000
  robot-app-assistant dev my_app --debug`;

/** The port that debuggers of Python use unless told otherwise. */
const DEBUG_PORT = 5678;

interface DevFlags {
  url?: string;
  port?: number;
  dataDir?: string;
  debug?: number | true;
  open?: true;
  json?: true;
}

/** `dev`: runs an app and restarts it on every save. */
export function devCommand(terminal: Terminal): Command {
  return new Command("dev")
    .description("Run an app with a simulated robot, and restart it when a file is saved.")
    .argument("[path_to_app]", "the app's folder, where its pyproject.toml is", ".")
    .option("--url <address>", "use the daemon that runs there", webAddress(`--url ${DAEMON_URL}`))
    .option("--port <number>", "port of the daemon; 0 takes a free one", wholeNumber(0, 65_535, "--port 8000"))
    .option(
      "--data-dir <folder>",
      "data folder of a daemon that it starts",
      nonEmptyText("a folder", "--data-dir data"),
    )
    .option(
      "--debug [port]",
      `let a debugger attach to the app (port ${DEBUG_PORT})`,
      wholeNumber(1, 65_535, "--debug 5678"),
    )
    .option("--open", "open the dashboard in the browser")
    .option("--json", "write one JSON object a line: the daemon's events log and slot, and messages")
    .addHelpText("after", HELP)
    .action(async (given: string, flags: DevFlags) => {
      await dev(path.resolve(terminal.cwd, given), flags, terminal);
    });
}

async function dev(folder: string, flags: DevFlags, terminal: Terminal): Promise<void> {
  if (flags.debug !== undefined && flags.url !== undefined)
    throw new WorkbenchError("usage", "--debug needs a daemon of its own: leave --url out (docs/developing.md).");
  if (!existsSync(path.join(folder, "pyproject.toml")))
    throw new WorkbenchError(
      "app-invalid",
      `${folder} is no app: it has no pyproject.toml. Name the folder of one, or make one with create.`,
    );
  const files = await readApp(folder, terminal.signal);
  const settings = readSettings(files).dev ?? {};
  const { entryName: app } = describeApp(files);
  const checked = quickCheck(folder, terminal.signal);
  checked.catch(() => {}); // it is awaited below
  const showReport = async () => {
    const report = await checked;
    if (report.verdict !== "conformant")
      (flags.json ? terminal.err : terminal.out)(formatReport(report, terminal.colour));
    return report;
  };
  if (app === undefined) {
    await showReport();
    throw new WorkbenchError("app-invalid", `${folder} names no app: fix PKG-003 above first.`);
  }

  const emit = (event: string, data: unknown) => terminal.out(`${JSON.stringify({ event, data })}\n`);
  const say = (line: string) => (flags.json ? emit("message", line) : terminal.out(`${line}\n`));
  const debugPort = flags.debug === true ? DEBUG_PORT : flags.debug;
  const secret = terminal.env[WORKSHOP_SECRET_VARIABLE] || randomBytes(24).toString("base64url");
  // The daemon starts while this program checks the app.
  const daemon = await chooseDaemon({
    ...terminal,
    url: flags.url,
    port: flags.port ?? settings.port ?? DAEMON_PORT,
    mayUseRunning: flags.port === undefined && debugPort === undefined,
    dataDir: flags.dataDir === undefined ? undefined : path.resolve(terminal.cwd, flags.dataDir),
    workshop: { folder, secret },
    env: { ...terminal.env, ...(debugPort === undefined ? {} : { ROBOT_APP_DEBUG: `127.0.0.1:${debugPort}` }) },
    say,
  });
  // Not cancelled by Ctrl-C: the app is stopped after it.
  const client = new DaemonClient({
    url: daemon.url,
    token: terminal.env.ROBOT_DAEMON_TOKEN ?? "",
    signal: daemon.closing,
  });
  const workshop = daemon.editsApp ? null : new RemoteWorkshop(client, folder, secret);
  const dashboard = workshopLink(daemon.url, secret);
  const openWorkshop = async (): Promise<boolean> => {
    try {
      await workshop?.open();
      return true;
    } catch (error) {
      say(`  its dashboard cannot edit the app: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  };
  try {
    const canEdit = await openWorkshop();
    if (workshop !== null && canEdit) say(editHint(dashboard, terminal.interactive));
    const report = await showReport();
    await runDevSession({
      ...{ folder, app, report, client, settings, say },
      daemon: canEdit ? { ...daemon, dashboard } : daemon,
      onReconnected: openWorkshop,
      ...{ env: terminal.env, signal: terminal.signal, onKey: terminal.keys, clock: systemClock },
      open: flags.open === true,
      onEvent: flags.json ? emit : undefined,
    });
    terminal.setExitCode(EXIT.ok);
  } finally {
    await workshop?.close();
    await daemon.close();
  }
}
