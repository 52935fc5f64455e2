import { once } from "node:events";
import { Command, Option } from "commander";
import { nonEmptyText, wholeNumber } from "../../../robot/command-line/values.ts";
import { PROFILES, type ProfileName } from "../../edit/model/profiles.ts";
import { FAULT_NAMES, FAULTS, type Fault } from "../../edit/model/replay/faults.ts";
import { answersOf, recordingFrom } from "../../edit/model/replay/record.ts";
import { startReplayServer } from "../../edit/model/replay/server.ts";
import { loadTranscripts } from "../../edit/model/replay/transcript.ts";
import { serverClient } from "../../edit/model/server-client.ts";
import type { Terminal } from "../../terminal.ts";
import { serverOptions, serverUrl } from "./options.ts";

interface ServeFlags {
  transcripts: string;
  port: number;
  fault?: Fault;
  faultCount?: number;
  record?: string;
  model?: string;
  profile: ProfileName;
  maxTokens: number;
}

const HELP = `
Faults:
${Object.entries(FAULTS)
  .map(([name, what]) => `  ${name.padEnd(13)} ${what}`)
  .join("\n")}

Examples:
  robot-app-assistant model serve --transcripts fixtures/transcripts
  robot-app-assistant model serve --transcripts t --fault 503 --fault-count 2
  robot-app-assistant model serve --transcripts t --record http://127.0.0.1:30000 --profile sglang`;

/** `model serve`: runs a server that answers requests to a model with recorded answers. */
export function modelServeCommand(terminal: Terminal): Command {
  return new Command("serve")
    .description("Serve recorded answers over the OpenAI interface, with faults on request.")
    .requiredOption(
      "--transcripts <dir>",
      "the folder of transcripts",
      nonEmptyText("a folder", "--transcripts fixtures/transcripts"),
    )
    .option("--port <n>", "port on 127.0.0.1; 0 selects a free one", wholeNumber(0, 65_535, "--port 8001"), 8001)
    .addOption(new Option("--fault <name>", "fault to inject").choices(FAULT_NAMES))
    .option("--fault-count <n>", "only for the first n requests", wholeNumber(1, 1_000_000, "--fault-count 2"))
    .option(
      "--record <url>",
      "send prompts without a transcript to this server, and save its answers in the folder",
      serverUrl("--record"),
    )
    .option(
      "--model <id>",
      "with --record: the model",
      nonEmptyText("the name of a model", "--model default"),
      "default",
    )
    .addOption(new Option("--profile <kind>", "with --record: the kind of server").choices(PROFILES).default("openai"))
    .option(
      "--max-tokens <n>",
      "with --record: maximum tokens of an answer",
      wholeNumber(1, 1_000_000, "--max-tokens 4096"),
      4096,
    )
    .addHelpText("after", HELP)
    .action((flags: ServeFlags) => serve(flags, terminal));
}

async function serve(flags: ServeFlags, terminal: Terminal): Promise<void> {
  const { transcripts: folder, fault, faultCount = Number.POSITIVE_INFINITY, record, model = "default" } = flags;
  const transcripts = await loadTranscripts(folder);
  const known = answersOf(transcripts.values());
  const client =
    record && serverClient({ ...serverOptions({ serverUrl: record }, terminal), model, profile: flags.profile });
  const server = await startReplayServer({
    port: flags.port,
    answerTo: client ? recordingFrom(client, folder, known, flags.maxTokens) : known,
    ...(fault ? { faultOf: (request: number) => (request < faultCount ? fault : undefined) } : {}),
    onRequest: (path) => terminal.err(`${terminal.now().toISOString()} POST ${path}\n`),
  });
  terminal.out(`${transcripts.size} transcripts at ${server.url} (Ctrl-C ends it)\n`);
  if (!terminal.signal.aborted) await once(terminal.signal, "abort");
  await server.close();
}
