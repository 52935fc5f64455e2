import { Command } from "commander";
import { formatOfModel } from "../../../edit/formats/format.ts";
import { type Finding, type ProbeReport, probeServer } from "../../../edit/model/probe.ts";
import { SERVER_PROFILES } from "../../../edit/model/profiles.ts";
import { journalFolder } from "../../../edit/session/journal.ts";
import { rememberModel } from "../../../edit/session/model-memory.ts";
import { escapeControls } from "../../escape-controls.ts";
import { EXIT, type Terminal } from "../../terminal.ts";
import { chosenModel, type ServerFlags, serverOptions, withServerOptions } from "./options.ts";

const HELP = `
Exit codes: 0 edits will work, 1 they will not, 3 no model server answers.

Examples:
  robot-app-assistant model probe
  robot-app-assistant model probe --server-url http://127.0.0.1:30000 --json`;

/** `model probe`: reports the kind of a server and whether edits will work with it, and remembers that for `edit`. */
export function modelProbeCommand(terminal: Terminal): Command {
  const command = new Command("probe")
    .description("Report which model server answers, and what to change so that edits work with it.")
    .option("--json", "write one JSON object")
    .addHelpText("after", HELP);
  return withServerOptions(command).action(async (flags: ServerFlags & { json?: true }) => {
    const server = await serverOptions(flags, terminal);
    const report = await probeServer(server, chosenModel(flags, terminal), terminal.signal);
    const { serverUrl, model, trained } = report;
    if (trained !== null) await rememberModel(journalFolder(terminal.env), { serverUrl, model, instruct: !trained });
    terminal.out(flags.json ? `${JSON.stringify(report)}\n` : escapeControls(asText(report, flags)));
    if (!report.usable && !report.instructable) terminal.setExitCode(EXIT.failed);
  });
}

/** The answers to the questions, padded to one width. */
const PADDED_ANSWERS = { yes: "yes", no: "NO ", unknown: "?  " } as const;

function asText(report: ProbeReport, flags: ServerFlags): string {
  const { serverUrl, profile, model, findings, usable, instructable } = report;
  const line = ({ question, answer, detail, fix }: Finding) =>
    `  ${PADDED_ANSWERS[answer]}  ${question}: ${detail}\n${fix === undefined ? "" : `         to change it: ${fix}\n`}`;
  const url = flags.serverUrl === undefined ? "" : ` --server-url ${flags.serverUrl}`;
  const named = flags.model === undefined ? "" : ` --model ${flags.model}`;
  const advice =
    usable || instructable
      ? `Edits will work: robot-app-assistant edit APP -i "..."${url}${named}`
      : "Edits will not work: the token that closes an edit does not arrive, and the model makes no edit from instructions.";
  return `${serverUrl} is ${SERVER_PROFILES[profile].title} with ${model} (${formatOfModel(model)})\n${findings.map(line).join("")}${advice}\n`;
}
